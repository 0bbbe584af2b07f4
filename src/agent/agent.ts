// The face of an agent: what a program can do with it, and when each part of that ends.

import { createEmit } from "./events.ts";
import { Lifecycle } from "./lifecycle.ts";
import { type AgentOptions, settingsOf } from "./options.ts";

const defaultGraceSeconds = 10;

export interface Agent {
  /** `agt_…`; null before it is registered. */
  readonly agentId: string | null;
  /**
   * Registers when there is no stored token, reports once, then goes on in the background until
   * `stop`. Resolves after that first report; while the server is away or turns the agent away it
   * keeps trying, so do not await it if the program should not wait for the server. Rejects with
   * AgentError REGISTRATION_REFUSED, REGISTRATION_TOKEN_MISSING, REPORT_REFUSED, STATE_IN_USE,
   * STATE_UNUSABLE or AGENT_NOT_RUNNING; the agent has then stopped. An agent starts once.
   */
  start(): Promise<void>;
  /**
   * Fetches no more commands, at once; lets running handlers end within `graceSeconds` (default 10),
   * then aborts them; sends their results for up to 5 s (the rest after the next start); ends. Nothing
   * of the agent keeps the process alive after that. Never rejects; a second call changes nothing.
   */
  stop(options?: { graceSeconds?: number }): Promise<void>;
  /**
   * Reports at once, because something changed. Resolves when the server has it; rejects when the
   * services cannot be asked, with the server's AppError when the report is not valid, and with
   * AgentError AGENT_NOT_RUNNING.
   */
  reportNow(): Promise<void>;
}

/** Makes an agent; nothing happens before `start`. Throws AgentError OPTIONS_INVALID. */
export function createAgent(options: AgentOptions): Agent {
  const settings = settingsOf(options);
  const emit = createEmit(options.onEvent);
  const life = new Lifecycle(options.stateDir, settings, emit);
  return {
    get agentId() {
      return life.agentId;
    },
    start: () => life.start(),
    stop: ({ graceSeconds = defaultGraceSeconds } = {}) => life.stop(graceSeconds * 1000),
    reportNow: () => life.reportNow(),
  };
}
