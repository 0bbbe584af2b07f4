// The face of an agent: what a program can do with it, and when each part of that ends.

import { createEmit } from "./events/events.ts";
import type {
  Publish,
  PublishedEvent,
  PublishOptions,
  PublishReceipt,
} from "./events/published-event.ts";
import { sealed } from "./events/sealed-event.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { AgentDescription, AgentOptions } from "./options.ts";
import { type ManagedService, ManagedServices } from "./services/managed-services.ts";
import type { Service } from "./services/services.ts";
import { settingsOf } from "./settings.ts";

const defaultGraceSeconds = 10;

export interface Agent {
  /** `agt_…`; null before it is registered. */
  readonly agentId: string | null;
  /**
   * Adds a service, before the start or later; its code is unique in the workspace. Throws AgentError
   * OPTIONS_INVALID when it is not valid, or the agent has one of that code.
   */
  service(service: Service): ManagedService;
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
   * then aborts them; sends their results for up to 5 s (the rest after the next start); tells the server
   * that it stops, in one try of at most 2 s, so that operators see it OFFLINE; ends. A registration under
   * way has as long as results, so that its token is not lost. Nothing of the agent keeps the process
   * alive after that. Never rejects; a second call changes nothing.
   */
  stop(options?: { graceSeconds?: number }): Promise<void>;
  /**
   * Publishes an event on the server's bus, once: what has no id gets one before the first try. Resolves
   * when the server has stored and routed it; waits for the agent's start, while the server is away or
   * turns the agent away, and when the agent has published as much as it may in a minute. Rejects with
   * the server's AppError when that will not pass: CAPSULE_BUS_DISABLED, BUS_SOURCE_NOT_FOUND (no
   * service of that code is reported), CAPSULE_SOURCE_FORBIDDEN (another agent has it, or
   * the server refuses it from this one: no call is made then),
   * BUS_DEPTH_EXCEEDED, VALIDATION_FAILED, PAYLOAD_TOO_LARGE; with the signal's reason; and with
   * AgentError AGENT_NOT_RUNNING before `start` and at the end of `stop`, which gives events under way
   * the time that it gives results. After the last two the server may have the event or not: published
   * again with the same id it is there once.
   */
  publish(event: PublishedEvent, options?: PublishOptions): Promise<PublishReceipt>;
  /**
   * Changes what operators see of the agent. What is left out stays as it is. Sent to the server at once,
   * or when the agent starts; a new `mode` is sent only when the agent registers. Throws
   * AgentError OPTIONS_INVALID; then nothing has changed.
   */
  describe(change: Partial<Omit<AgentDescription, "code">>): void;
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
  const services = new ManagedServices();
  const life = new Lifecycle(settings, services, emit);
  const publish: Publish = async (event, { signal } = {}) => life.publish(sealed(event), signal);
  return {
    get agentId() {
      return life.agentId;
    },
    service: (service) => services.add(service, publish),
    publish,
    start: () => life.start(),
    stop: ({ graceSeconds = defaultGraceSeconds } = {}) => life.stop(graceSeconds * 1000),
    describe: (change) => life.describe(change),
    reportNow: () => life.reportNow(),
  };
}
