// Registers the agent, and decides what to do if the server refuses it later.

import { AppError } from "../../domain/errors.ts";
import { orAborted } from "../../lib/time-limit.ts";
import type { AgentContext } from "../agent-context.ts";
import { pause } from "../bell.ts";
import { jittered, retryMs } from "./backoff.ts";
import type { Connectivity } from "./connectivity.ts";
import { AgentError, messageOf } from "./errors.ts";
import { codeOf, isAway, isPassing } from "./failures.ts";
import type { Registration } from "./registration.ts";
import type { Identity } from "./token-store.ts";

export function createEnrollment(
  { settings, emit, stopSignal }: AgentContext,
  registration: Registration,
  reach: Connectivity,
) {
  let registeredAt = Number.NEGATIVE_INFINITY;

  /** Throws AgentError REGISTRATION_TOKEN_MISSING, REGISTRATION_REFUSED or STATE_UNUSABLE. */
  async function enter(): Promise<Identity> {
    const stored = await orAborted(registration.stored(), stopSignal);
    let problem: string | null = null;
    for (let attempt = 1; ; attempt++) {
      try {
        const kept = stored && (await registration.forThisServer(stored, stopSignal));
        if (kept !== null && typeof kept !== "string") return kept;
        problem = kept;
        const identity = await registration.register(stopSignal);
        if (identity) return identity;
        throw new AgentError("REGISTRATION_TOKEN_MISSING", unregistered(problem));
      } catch (error) {
        stopSignal.throwIfAborted();
        if (error instanceof AgentError) throw error;
        if (!isPassing(error)) throw registrationRefused(error, settings.agent.code, problem);
        note(error, new Set());
        await pause(waitMs(error, attempt), stopSignal);
      }
    }
  }

  /**
   * Returns the new identity, or null if the old one works again. Rejects only when the agent
   * stops.
   */
  async function enterAgain(
    refusal: unknown,
    probe: () => Promise<unknown>,
  ): Promise<Identity | null> {
    const noted = new Set<string>();
    let reason = refusal;
    for (let attempt = 1; ; attempt++) {
      note(reason, noted);
      if (codeOf(reason) === "UNAUTHORIZED") {
        const identity = await registerAgain().catch((error: unknown) => {
          reason = error;
          return null;
        });
        stopSignal.throwIfAborted();
        if (identity) return identity;
        note(reason, noted);
      }
      await pause(waitMs(reason, attempt), stopSignal);
      stopSignal.throwIfAborted();
      reason = await probe();
      if (reason === null) return null;
    }
  }

  /**
   * Returns null if there is no new registration token. Never registers twice in quick succession,
   * because two agents with the same code would replace each other forever.
   */
  async function registerAgain(): Promise<Identity | null> {
    const { refusedRetryMs } = settings;
    if (performance.now() - registeredAt < refusedRetryMs * 0.9) return null;
    const identity = await registration.register(stopSignal);
    if (identity) registeredAt = performance.now();
    return identity;
  }

  /** A refused agent retries slowly, because an operator has to act first. */
  function waitMs(error: unknown, attempt: number): number {
    const { refusedRetryMs, backoff } = settings;
    const ownMs = isAway(error) ? 0 : jittered(refusedRetryMs);
    return Math.max(ownMs, retryMs(error, attempt, backoff));
  }

  function note(error: unknown, noted: Set<string>): void {
    if (isAway(error)) reach.lost(error);
    else if (error instanceof AppError) reach.found();
    const code = codeOf(error);
    if (isAway(error) || noted.has(code)) return;
    noted.add(code);
    const message = `The server refuses the agent: ${sentence(error)}${advice(code)}`;
    emit("error", message, { type: "refused", code });
  }

  function advice(code: string): string {
    const advised = remedyOf(code, settings.agent.code);
    if (advised === "") return "";
    const isRetried = code === "AGENT_DISABLED" || code === "MISDIRECTED_HOST";
    return isRetried ? ` The agent keeps retrying. ${advised}` : ` ${advised}`;
  }

  return { enter, enterAgain };
}

const remedy =
  "Create a registration token with `platformctl tokens create` and pass it to the agent as " +
  "`registrationToken`.";

/** Returns an empty text if the message of the error is all that is known. */
export function remedyOf(code: string, agent: string): string {
  switch (code) {
    case "AGENT_CODE_TAKEN":
      return (
        "Give this agent its own `code` (a file copied from another host still has that " +
        "host's code), or replace the other agent with a token from `platformctl tokens create " +
        `--agent ${agent} --replace\`.`
      );
    case "AGENT_DISABLED":
      return `Enable it with \`platformctl agents enable ${agent}\`.`;
    case "MISDIRECTED_HOST":
      return (
        "Add the host of this agent's server URL to PLATFORM_ALLOWED_HOSTS on the server, and " +
        "restart the server."
      );
    case "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT":
      return `Create a token for it with \`platformctl tokens create --agent ${agent}\`.`;
    default:
      return code === "UNAUTHORIZED" || code.startsWith("REGISTRATION_TOKEN_") ? remedy : "";
  }
}

/** `problem` is null if no token is stored. */
function unregistered(problem: string | null): string {
  return problem === null
    ? `The agent is not registered and has no registration token. ${remedy}`
    : `${problem} The agent has no registration token either. ${remedy}`;
}

function registrationRefused(error: unknown, agent: string, problem: string | null): AgentError {
  const code = codeOf(error);
  const lost =
    code === "REGISTRATION_TOKEN_USED"
      ? " This agent may have used the token, if the response to an earlier attempt was lost."
      : "";
  const reason = `${sentence(error)}${lost} ${remedyOf(code, agent)}`.trimEnd();
  const before = problem === null ? "" : `${problem} `;
  const message = `${before}The server refused the registration: ${reason}`;
  return new AgentError("REGISTRATION_REFUSED", message, error);
}

function sentence(error: unknown): string {
  const text = messageOf(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
