import { setMaxListeners } from "node:events";
import { orAborted } from "../lib/time-limit.ts";
import type { Base } from "./base.ts";
import { pause } from "./bell.ts";
import { AgentError, messageOf } from "./connection/errors.ts";
import { problemOfDescription } from "./connection/heartbeats.ts";
import type { Emit } from "./events/events.ts";
import type { PublishReceipt } from "./events/published-event.ts";
import type { SealedEvent } from "./events/sealed-event.ts";
import type { AgentDescription } from "./options.ts";
import { assemble, type Parts } from "./parts.ts";
import type { ManagedServices } from "./services/managed-services.ts";
import { notRunning } from "./services/reporter.ts";
import { checkedAgent, type Settings } from "./settings.ts";
import { pollForever } from "./work/poller.ts";

const restartLoopMs = 1000;
/** How long `stop` waits for the server to record that the agent is offline. */
const goodbyeMs = 2000;

export class Lifecycle {
  readonly #base: Base;
  readonly #services: ManagedServices;
  readonly #intake = new AbortController();
  readonly #line = new AbortController();
  #assembling: Promise<Parts> | null = null;
  #agentId: () => string | null = () => null;
  #starting: Promise<Parts> | null = null;
  #stopping: Promise<void> | null = null;
  #isUp = false;
  #poller: Promise<void> = Promise.resolve();
  #loops: Promise<void>[] = [];

  constructor(settings: Settings, services: ManagedServices, emit: Emit) {
    this.#base = { settings, emit, line: this.#line.signal };
    this.#services = services;
    // Hundreds of calls and waits can listen to these signals.
    setMaxListeners(0, this.#intake.signal, this.#line.signal);
  }

  get agentId(): string | null {
    return this.#agentId();
  }

  async start(): Promise<void> {
    if (this.#starting === null && this.#stopping !== null) throw notRunning();
    this.#starting ??= this.#begin();
    try {
      await this.#starting;
    } catch (error) {
      const wasStopped = this.#stopping !== null;
      await this.stop(0);
      throw wasStopped ? notRunning() : error;
    }
  }

  stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#end(graceMs);
    return this.#stopping;
  }

  describe(change: Partial<AgentDescription>): void {
    const agent = checkedAgent({ ...this.#base.settings.agent, ...change });
    const problem = problemOfDescription(agent);
    if (problem)
      throw new AgentError("OPTIONS_INVALID", `Cannot change the agent's description: ${problem}.`);
    this.#base.settings.agent = agent;
    void this.#assembling?.then(
      ({ heartbeats }) => heartbeats.describe(agent),
      () => undefined,
    );
  }

  async reportNow(): Promise<void> {
    if (this.#assembling === null) throw notRunning();
    const { reporter } = await this.#assembling;
    return reporter.soon();
  }

  /** Waits for the start, because the server does not know the services before it. */
  async publish(event: SealedEvent, signal: AbortSignal | undefined): Promise<PublishReceipt> {
    if (this.#starting === null) throw notRunning();
    const { line } = this.#base;
    const ended = signal ? AbortSignal.any([line, signal]) : line;
    const parts = await orAborted(this.#starting, ended).catch(() => {
      ended.throwIfAborted();
      throw notRunning();
    });
    return parts.publisher.publish(event, ended);
  }

  async #begin(): Promise<Parts> {
    const { line } = this.#base;
    this.#assembling = assemble(this.#base, this.#services);
    const parts = await this.#assembling;
    const { connection, work, heartbeats, reporter } = parts;
    this.#agentId = () => connection.identity?.agentId ?? null;
    await connection.open();
    await work.recover();
    await heartbeats.beat();
    await reporter.report().catch(reportRefused);
    line.throwIfAborted();
    this.#isUp = true;
    this.#startLoops(parts);
    return parts;
  }

  #startLoops(parts: Parts): void {
    const { connection, heartbeats, reporter, work } = parts;
    const { settings, line, emit } = this.#base;
    const intake = this.#intake.signal;
    this.#loops = [
      this.#keepRunning(line, () => heartbeats.beatForever(line)),
      this.#keepRunning(line, () => reporter.reportForever(line)),
      this.#keepRunning(line, () => reporter.reportWhenAccepted(line)),
    ];
    const poller = { connection, work, settings, emit };
    this.#poller = this.#keepRunning(intake, () => pollForever(poller, intake));
  }

  async #keepRunning(signal: AbortSignal, loop: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        await loop();
      } catch (error) {
        if (signal.aborted) return;
        this.#emitFailed(error);
        await pause(restartLoopMs, signal);
      }
    }
  }

  /** Stops polling first, so that handlers can finish and the agent can send their results. */
  async #end(graceMs: number): Promise<void> {
    this.#intake.abort(notRunning());
    if (!this.#isUp) this.#line.abort(notRunning());
    await this.#starting?.catch(() => undefined);
    const { flushMs } = this.#base.settings;
    const parts = await this.#assembling?.catch(() => null);
    if (!parts) return;
    await this.#poller;
    await parts.work.stop(graceMs);
    const { outbox, publisher } = parts;
    if (this.#isUp) await Promise.all([outbox.settled(flushMs), publisher.settled(flushMs)]);
    this.#line.abort(notRunning());
    await Promise.all(this.#loops);
    await outbox.settled(flushMs);
    await parts.connection.sayGoodbye(Math.min(flushMs, goodbyeMs));
    await parts.close().catch((error: unknown) => this.#emitFailed(error));
    this.#base.emit("info", "The agent has stopped.", { type: "stopped" });
  }

  #emitFailed(error: unknown): void {
    const message = `The agent had an internal error: ${messageOf(error)}`;
    this.#base.emit("error", message, { type: "agent.failed" });
  }
}

function reportRefused(error: unknown): never {
  const message = `The first report failed: ${messageOf(error)}`;
  throw new AgentError("REPORT_REFUSED", message, error);
}
