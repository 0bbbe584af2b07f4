// Collects the policies that apply to an action on many services.

import { requirementOf } from "../../domain/approvals/approvals.ts";
import {
  firstApplying,
  type Policy,
  type PolicySubject,
  whyNotApplied,
} from "../../domain/approvals/policies.ts";

type Action = Pick<PolicySubject, "action" | "dangerLevel">;

export class FittingPolicies {
  readonly #policies: readonly Policy[];
  /** The policies that are the first to apply to any of the subjects. */
  readonly #counting = new Set<Policy>();
  readonly #known = new Map<string, Policy | null>();

  /** `policies` are all policies, in their order. */
  constructor(policies: readonly Policy[]) {
    this.#policies = policies;
  }

  /** Whether a policy applies to the action on services with suitable labels. */
  mayFit({ action, dangerLevel }: Action): boolean {
    const subject = { action, dangerLevel, labels: {} };
    return this.#policies.some(
      (policy) => whyNotApplied({ ...policy, selector: undefined }, subject) === null,
    );
  }

  /** Whether any policy has a selector. */
  get dependsOnLabels(): boolean {
    return this.#policies.some(({ selector }) => selector !== undefined);
  }

  /** Results are cached, because thousands of services share a few sets of labels. */
  add(subject: PolicySubject): void {
    const text = JSON.stringify([subject.action, subject.dangerLevel, subject.labels]);
    let policy = this.#known.get(text);
    if (policy === undefined) {
      policy = firstApplying(this.#policies, subject);
      this.#known.set(text, policy);
    }
    if (policy) this.#counting.add(policy);
  }

  /** What the collected policies demand together; null if there are none. */
  get demand() {
    if (this.#counting.size === 0) return null;
    const inOrder = this.#policies.filter((policy) => this.#counting.has(policy));
    return {
      requirements: inOrder.map(requirementOf),
      expiresAfterSeconds: Math.min(...inOrder.map((each) => each.expiresAfterSeconds)),
    };
  }
}
