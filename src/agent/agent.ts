import { setMaxListeners } from "node:events";
import { orAborted } from "../lib/time-limit.ts";
import { pause } from "./bell.ts";
import { AgentError, messageOf } from "./connection/errors.ts";
import { problemOfDescription } from "./connection/heartbeats.ts";
import { createEmit } from "./events/events.ts";
import type {
  Publish,
  PublishedEvent,
  PublishOptions,
  PublishReceipt,
} from "./events/published-event.ts";
import { sealed } from "./events/sealed-event.ts";
import type { AgentDescription, AgentOptions } from "./options.ts";
import { assemble, type Parts } from "./parts.ts";
import { type ManagedService, ManagedServices } from "./services/managed-services.ts";
import { notRunning } from "./services/reporter.ts";
import type { Service } from "./services/services.ts";
import { checkedAgent, longestSeconds, settingsOf } from "./settings.ts";
import { pollForever } from "./work/poller.ts";

const defaultGraceSeconds = 10;
const restartLoopMs = 1000;
/** How long `stop` waits for the server to record that the agent is offline. */
const goodbyeMs = 2000;

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
   * 10, at most a day). Then `stop` tries for `timing.flushSeconds` (default 5) to send their
   * results; the next start sends the rest. A registration in progress gets the same time, so that
   * its token is not lost. Finally, `stop` tries once, for at most 2 s, to report the agent
   * OFFLINE. Never rejects; a second call has no effect.
   */
  stop(options?: { graceSeconds?: number }): Promise<void>;
  /**
   * Publishes an event on the server's bus, and resolves when the server has stored and routed it.
   * An event without an id gets one before the first attempt. Waits while `start` is in progress,
   * and retries while the server is unreachable, refuses the agent or limits its rate.
   *
   * Rejects with the signal's reason, or with the server's AppError if a retry cannot help:
   * CAPSULE_BUS_DISABLED, BUS_SOURCE_NOT_FOUND (no reported service has this code),
   * CAPSULE_SOURCE_FORBIDDEN (the service belongs to another agent, or the server refuses the
   * service from this agent), BUS_DEPTH_EXCEEDED, VALIDATION_FAILED, PAYLOAD_TOO_LARGE or NOT_FOUND
   * (the server is too old). Rejects with AgentError AGENT_NOT_RUNNING before `start`, and at the
   * end of `stop`, which first waits for events in progress, for up to `timing.flushSeconds`
   * (default 5). After an abort or `stop`, the server may already have stored the event. To be
   * sure, publish it again with the same id: the server stores it only once.
   */
  publish(event: PublishedEvent, options?: PublishOptions): Promise<PublishReceipt>;
  /**
   * Changes how operators see the agent; omitted and undefined fields keep their values. The change
   * is sent immediately, or when the agent starts. A new `mode`, and null, which removes a `name`,
   * `version` or `runtime`, are sent at the next registration. Throws AgentError OPTIONS_INVALID
   * without changing anything.
   */
  describe(change: DescriptionChange): void;
  /**
   * Reports immediately. Resolves when the server has the report. Rejects if one of a service's
   * functions fails, with the server's AppError if the report is invalid, and with AgentError
   * AGENT_NOT_RUNNING before `start` and after `stop`.
   */
  reportNow(): Promise<void>;
}

export type DescriptionChange = {
  [Field in Exclude<keyof AgentDescription, "code">]?:
    | AgentDescription[Field]
    | (undefined extends AgentDescription[Field] ? null : undefined);
};

/** Creates an agent, which does nothing before `start`. Throws AgentError OPTIONS_INVALID. */
export function createAgent(options: AgentOptions): Agent {
  const settings = settingsOf(options);
  const emit = createEmit(options.onEvent);
  const services = new ManagedServices();
  const intake = new AbortController();
  const calls = new AbortController();
  // Hundreds of calls and waits can listen to these signals.
  setMaxListeners(0, intake.signal, calls.signal);
  let assembling: Promise<Parts> | null = null;
  let agentId: () => string | null = () => null;
  let starting: Promise<Parts> | null = null;
  let stopping: Promise<void> | null = null;
  let isUp = false;
  let poller: Promise<void> = Promise.resolve();
  let loops: Promise<void>[] = [];

  async function start(): Promise<void> {
    if (starting === null && stopping !== null) throw notRunning();
    starting ??= begin();
    try {
      await starting;
    } catch (error) {
      const wasStopped = stopping !== null;
      await stop(0);
      throw wasStopped ? notRunning() : error;
    }
  }

  function stop(graceSeconds: number): Promise<void> {
    stopping ??= end(graceSeconds * 1000);
    return stopping;
  }

  function describe(change: DescriptionChange): void {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const all = Object.entries({ ...settings.agent, ...Object.fromEntries(given) });
    const kept = Object.fromEntries(all.filter(([, value]) => value !== null));
    const agent = checkedAgent(kept as unknown as AgentDescription);
    const problem = problemOfDescription(agent);
    if (problem)
      throw new AgentError("OPTIONS_INVALID", `Cannot change the agent's description: ${problem}.`);
    settings.agent = agent;
    void assembling?.then(
      ({ heartbeats }) => heartbeats.describe(agent),
      () => undefined,
    );
  }

  async function reportNow(): Promise<void> {
    if (assembling === null) throw notRunning();
    const { reporter } = await assembling;
    return reporter.soon();
  }

  /** Waits until the agent has started: before that, the server does not know the services. */
  const publish: Publish = async (published, { signal } = {}) => {
    const event = sealed(published);
    if (starting === null) throw notRunning();
    const ended = signal ? AbortSignal.any([calls.signal, signal]) : calls.signal;
    const parts = await orAborted(starting, ended).catch(() => {
      ended.throwIfAborted();
      throw notRunning();
    });
    return parts.publisher.publish(event, ended);
  };

  async function begin(): Promise<Parts> {
    const context = { settings, emit, stopSignal: calls.signal };
    assembling = assemble(context, services, intake.signal);
    const parts = await assembling;
    const { connection, rounds, work, heartbeats, reporter } = parts;
    agentId = () => connection.identity?.agentId ?? null;
    await connection.open();
    await work.recover();
    await heartbeats.beat();
    await reporter.report().catch(reportRefused);
    calls.signal.throwIfAborted();
    isUp = true;
    loops = [heartbeats.beatForever, reporter.reportForever, reporter.reportWhenAccepted].map(
      (loop) => keepRunning(calls.signal, loop),
    );
    poller = keepRunning(intake.signal, (signal) =>
      pollForever({ connection, rounds, work, settings, emit }, signal),
    );
    return parts;
  }

  async function keepRunning(signal: AbortSignal, loop: (signal: AbortSignal) => Promise<void>) {
    while (!signal.aborted) {
      try {
        await loop(signal);
      } catch (error) {
        if (signal.aborted) return;
        emitFailed(error);
        await pause(restartLoopMs, signal);
      }
    }
  }

  /** Stops polling first, so that handlers can finish and the agent can send their results. */
  async function end(graceMs: number): Promise<void> {
    intake.abort(notRunning());
    if (!isUp) calls.abort(notRunning());
    await starting?.catch(() => undefined);
    const { flushMs } = settings;
    const parts = await assembling?.catch(() => null);
    if (!parts) return;
    await poller;
    await parts.work.stop(graceMs);
    const { outbox, publisher } = parts;
    if (isUp) await Promise.all([outbox.settled(flushMs), publisher.settled(flushMs)]);
    calls.abort(notRunning());
    await Promise.all(loops);
    await outbox.settled(flushMs);
    await parts.connection.goOffline(Math.min(flushMs, goodbyeMs));
    await parts.close().catch(emitFailed);
    emit("info", "The agent has stopped.", { type: "stopped" });
  }

  function emitFailed(error: unknown): void {
    const message = `The agent had an internal error: ${messageOf(error)}`;
    emit("error", message, { type: "agent.failed" });
  }

  return {
    get agentId() {
      return agentId();
    },
    service: (service) => services.add(service, publish),
    publish,
    start,
    stop: ({ graceSeconds = defaultGraceSeconds } = {}) =>
      stop(Math.min(graceSeconds, longestSeconds)),
    describe,
    reportNow,
  };
}

function reportRefused(error: unknown): never {
  const message = `The first report failed: ${messageOf(error)}`;
  throw new AgentError("REPORT_REFUSED", message, error);
}
