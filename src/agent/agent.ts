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
  /** `agt_…`; null before the agent is registered. */
  readonly agentId: string | null;
  /**
   * Adds a service, before or after the start. Throws AgentError OPTIONS_INVALID for an invalid
   * service or a code that the agent already has.
   */
  service(service: Service): ManagedService;
  /**
   * Registers if there is no stored token, reports once, and continues in the background until
   * `stop`. Resolves after the first report. It retries while the server is unreachable or refuses
   * the agent, so do not await it if your program must not wait. Rejects with an AgentError
   * (REGISTRATION_REFUSED, REGISTRATION_TOKEN_MISSING, REPORT_REFUSED, STATE_IN_USE,
   * STATE_UNUSABLE, AGENT_NOT_RUNNING), after which the agent has stopped. An agent starts only
   * once.
   */
  start(): Promise<void>;
  /**
   * Stops fetching commands immediately, and aborts running handlers after `graceSeconds` (default
   * 10). Then it tries for up to 5 s to send their results; unsent results follow after the next
   * start. A registration in progress also gets up to 5 s, so that its token is not lost. Finally
   * `stop` reports the agent OFFLINE, in one attempt of at most 2 s. Never rejects; a second call
   * has no effect.
   */
  stop(options?: { graceSeconds?: number }): Promise<void>;
  /**
   * Publishes an event on the server's bus, and resolves when the server has stored and routed it.
   * An event without an id gets one before the first attempt. Waits for the agent's start, while
   * the server is unreachable or refuses the agent, and while the agent exceeds its rate limit.
   *
   * Rejects with the signal's reason, or with the server's AppError if a retry cannot help:
   * CAPSULE_BUS_DISABLED, BUS_SOURCE_NOT_FOUND (no reported service has this code),
   * CAPSULE_SOURCE_FORBIDDEN (the service belongs to another agent, or the server refuses the
   * service from this agent), BUS_DEPTH_EXCEEDED, VALIDATION_FAILED or PAYLOAD_TOO_LARGE. Rejects
   * with AgentError AGENT_NOT_RUNNING before `start` and at the end of `stop`, which gives events
   * as much time as results. After an abort or `stop`, the server may already have stored the
   * event. To be sure, publish it again with the same id: the server stores it only once.
   */
  publish(event: PublishedEvent, options?: PublishOptions): Promise<PublishReceipt>;
  /**
   * Changes how operators see the agent; omitted fields keep their values. The change is sent
   * immediately, or when the agent starts. A new `mode` is sent at the next registration. Throws
   * AgentError OPTIONS_INVALID without changing anything.
   */
  describe(change: Partial<Omit<AgentDescription, "code">>): void;
  /**
   * Reports immediately. Resolves when the server has the report. Rejects if one of a service's
   * functions fails, with the server's AppError if the report is invalid, and with AgentError
   * AGENT_NOT_RUNNING.
   */
  reportNow(): Promise<void>;
}

/** Creates an agent, which does nothing before `start`. Throws AgentError OPTIONS_INVALID. */
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
