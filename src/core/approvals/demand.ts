// What policies demand for something that runs on many services.

import { type Requirement, requirementOf } from "../../domain/approvals/approvals.ts";
import {
  firstFit,
  misfitOf,
  type Policy,
  type PolicySubject,
} from "../../domain/approvals/policies.ts";

/** What policies demand before something may run. */
export interface Needed {
  /** One for each policy that is the first to fit any of the targets. All must be satisfied. */
  requirements: Requirement[];
  /** The shortest time of these policies. */
  expiresAfterSeconds: number;
}

/** What policies demand, found before the transaction in which it counts. */
export interface Judged {
  needed: Needed | null;
  /** The policies that were asked: `stampOf`. */
  policies: string;
}

const stamps = new WeakMap<readonly Policy[], string>();

/** Equal for the same policies with the same content. */
export function stampOf(policies: readonly Policy[]): string {
  let stamp = stamps.get(policies);
  if (stamp === undefined) {
    stamp = policies.map(({ id, version }) => `${id} ${version}`).join("\n");
    stamps.set(policies, stamp);
  }
  return stamp;
}

type Action = Pick<PolicySubject, "action" | "dangerLevel">;

export class Demand {
  readonly #policies: readonly Policy[];
  /** The first policies that fit any of the subjects. */
  readonly #counting = new Set<Policy>();
  readonly #known = new Map<string, Policy | null>();

  /** `policies` are all policies, in their order. */
  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  /** Whether some labels could make a policy fit. */
  mayFit({ action, dangerLevel }: Action): boolean {
    const subject = { action, dangerLevel, labels: {} };
    return this.#policies.some(
      (policy) => misfitOf({ ...policy, selector: undefined }, subject) === null,
    );
  }

  /** Whether the labels decide. */
  get dependsOnLabels(): boolean {
    return this.#policies.some(({ selector }) => selector !== undefined);
  }

  /** Thousands of services have few different labels. */
  add(subject: PolicySubject): void {
    const text = JSON.stringify([subject.action, subject.dangerLevel, subject.labels]);
    let policy = this.#known.get(text);
    if (policy === undefined) {
      policy = firstFit(this.#policies, subject);
      this.#known.set(text, policy);
    }
    if (policy) this.#counting.add(policy);
  }

  /** Null if nothing is demanded. */
  get needed(): Needed | null {
    if (this.#counting.size === 0) return null;
    const inOrder = this.#policies.filter((policy) => this.#counting.has(policy));
    return {
      requirements: inOrder.map(requirementOf),
      expiresAfterSeconds: Math.min(...inOrder.map((each) => each.expiresAfterSeconds)),
    };
  }
}
