// How the server comes to take the agent: it registers at first, and when it is turned away later it
// registers again, or waits until an operator lets it in.

import { AppError } from "../../domain/errors.ts";
import { orAborted } from "../../lib/time-limit.ts";
import { pause } from "../bell.ts";
import type { Emit } from "../events/events.ts";
import type { Settings } from "../settings.ts";
import { jittered, retryMs } from "./backoff.ts";
import { AgentError, messageOf } from "./errors.ts";
import { codeOf, isAway, isPassing } from "./failures.ts";
import type { Reach } from "./reach.ts";
import type { Registration } from "./registration.ts";
import type { Identity } from "./token-store.ts";

export class Admission {
  readonly #settings: Settings;
  readonly #registration: Registration;
  readonly #reach: Reach;
  readonly #emit: Emit;
  /** Ends all tries. */
  readonly #signal: AbortSignal;
  #registeredAt = Number.NEGATIVE_INFINITY;

  constructor(
    settings: Settings,
    registration: Registration,
    reach: Reach,
    emit: Emit,
    signal: AbortSignal,
  ) {
    this.#settings = settings;
    this.#registration = registration;
    this.#reach = reach;
    this.#emit = emit;
    this.#signal = signal;
  }

  /**
   * The stored identity, else a new one; tries again while the server is away or the agent is
   * disabled. Throws AgentError REGISTRATION_TOKEN_MISSING, REGISTRATION_REFUSED, STATE_UNUSABLE.
   */
  async enter(): Promise<Identity> {
    const stored = await orAborted(this.#registration.stored(), this.#signal);
    let problem: string | null = null;
    for (let attempt = 1; ; attempt++) {
      try {
        const kept = stored && (await this.#registration.forThisServer(stored, this.#signal));
        if (kept !== null && typeof kept !== "string") return kept;
        problem = kept;
        const identity = await this.#registration.register(this.#signal);
        if (identity) return identity;
        throw new AgentError("REGISTRATION_TOKEN_MISSING", unregistered(problem));
      } catch (error) {
        this.#signal.throwIfAborted();
        if (error instanceof AgentError) throw error;
        if (!isPassing(error)) throw registrationRefused(error, this.#settings.agent.code, problem);
        this.#note(error, new Set());
        await pause(this.#waitMs(error, attempt), this.#signal);
      }
    }
  }

  /**
   * Tries to be taken again after `refusal`, until it is: answers the new identity, or null when the
   * old one does. `probe` answers why the old one does not, or null. Rejects only at the end.
   */
  async enterAgain(refusal: unknown, probe: () => Promise<unknown>): Promise<Identity | null> {
    const told = new Set<string>();
    let reason = refusal;
    for (let attempt = 1; ; attempt++) {
      this.#note(reason, told);
      if (codeOf(reason) === "UNAUTHORIZED") {
        const identity = await this.#registerAgain().catch((error: unknown) => {
          reason = error;
          return null;
        });
        this.#signal.throwIfAborted();
        if (identity) return identity;
        this.#note(reason, told);
      }
      await pause(this.#waitMs(reason, attempt), this.#signal);
      this.#signal.throwIfAborted();
      reason = await probe();
      if (reason === null) return null;
    }
  }

  /**
   * Null when there is no other registration token. Not twice in a row at once: two agents with one
   * code would take it from each other for ever.
   */
  async #registerAgain(): Promise<Identity | null> {
    const { refusedRetryMs } = this.#settings;
    if (performance.now() - this.#registeredAt < refusedRetryMs * 0.9) return null;
    const identity = await this.#registration.register(this.#signal);
    if (identity) this.#registeredAt = performance.now();
    return identity;
  }

  /** Turned away, it asks slowly; it is an operator who must do something first. */
  #waitMs(error: unknown, attempt: number): number {
    const { refusedRetryMs, backoff } = this.#settings;
    const ownMs = isAway(error) ? 0 : jittered(refusedRetryMs);
    return Math.max(ownMs, retryMs(error, attempt, backoff));
  }

  /** Each refusal is told once. */
  #note(error: unknown, told: Set<string>): void {
    if (isAway(error)) this.#reach.lost(error);
    else if (error instanceof AppError) this.#reach.found();
    const code = codeOf(error);
    if (isAway(error) || told.has(code)) return;
    told.add(code);
    const message = `The server turns the agent away: ${sentence(error)}${this.#advice(code)}`;
    this.#emit("error", message, { type: "refused", code });
  }

  #advice(code: string): string {
    const { code: agent } = this.#settings.agent;
    if (code === "AGENT_DISABLED") {
      return ` The agent asks again now and then. ${remedyOf(code, agent)}`;
    }
    const isToken = code === "UNAUTHORIZED" || code.startsWith("REGISTRATION_TOKEN_");
    if (isToken || code === "AGENT_CODE_TAKEN") return ` ${remedyOf(code, agent)}`;
    return "";
  }
}

const remedy =
  "Make a registration token with `platformctl tokens create` and give it to the agent as its " +
  "`registrationToken`.";

/** What an operator has to do after a refusal. */
export function remedyOf(code: string, agent: string): string {
  switch (code) {
    case "AGENT_CODE_TAKEN":
      return (
        "Give this agent a `code` of its own (a file that was copied from another host has that " +
        "host's), or let it take the other one's place with a token from `platformctl tokens create " +
        `--agent ${agent} --replace\`.`
      );
    case "AGENT_DISABLED":
      return `Let it in with \`platformctl agents enable ${agent}\`.`;
    case "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT":
      return `Make one for it with \`platformctl tokens create --agent ${agent}\`.`;
    default:
      return remedy;
  }
}

/** `problem`: why the token that it has is not used. */
function unregistered(problem: string | null): string {
  return problem === null
    ? `The agent is not registered yet and was given no registration token. ${remedy}`
    : `${problem} The agent was given no registration token for another server. ${remedy}`;
}

function registrationRefused(error: unknown, agent: string, problem: string | null): AgentError {
  const code = codeOf(error);
  const lost =
    code === "REGISTRATION_TOKEN_USED"
      ? " If the answer to an earlier try was lost, this agent used it itself."
      : "";
  const said = `${sentence(error)}${lost} ${remedyOf(code, agent)}`;
  const before = problem === null ? "" : `${problem} `;
  const message = `${before}The server refuses the registration: ${said}`;
  return new AgentError("REGISTRATION_REFUSED", message, error);
}

function sentence(error: unknown): string {
  const text = messageOf(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
