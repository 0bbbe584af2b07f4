// One service of the sidecar from the moment it is in the configuration until it is not: it is watched,
// reported, and its events are forwarded.

import type { Agent } from "../agent.ts";
import type { Emit } from "../events/events.ts";
import { checkService, type ManagedService } from "../services/managed-services.ts";
import type { ServiceConfig } from "./config/config.ts";
import { Forwarder } from "./events/forwarder.ts";
import { type ManagedProgram, managedProgram } from "./managed-program.ts";
import type { Place } from "./place.ts";

export interface Surroundings {
  agent: Agent;
  place: Place;
  /** The agent's, absolute. */
  stateDir: string;
  emit: Emit;
  /** Called when operators should hear of something now. */
  onChange: () => void;
}

export class RunningService {
  readonly config: ServiceConfig;
  readonly #around: Surroundings;
  readonly #program: ManagedProgram;
  readonly #ender = new AbortController();
  #watching: Promise<void> | null = null;
  #reported: ManagedService | null = null;
  #forwarding: Promise<void> | null = null;

  /** Nothing happens yet. Throws AgentError OPTIONS_INVALID when the server would not take it. */
  constructor(config: ServiceConfig, around: Surroundings) {
    this.config = config;
    this.#around = around;
    this.#program = managedProgram(config, around.place, around.emit, around.onChange);
    checkService(this.#program.service);
  }

  /** Resolves when health and version were asked for once, within their time-outs. */
  watch(): Promise<void> {
    this.#watching ??= this.#program.start();
    return this.#watching;
  }

  /** From now on it is in the agent's reports, and its actions can be run. */
  report(): void {
    this.#reported = this.#around.agent.service(this.#program.service);
  }

  /** It is reported no more. What runs of it goes on. */
  withdraw(): void {
    this.#reported?.remove();
  }

  /** Forwards its events, if it has any. A second call changes nothing. */
  forward(): void {
    const { code: serviceCode, bus } = this.config;
    if (!bus || this.#forwarding || this.#ender.signal.aborted) return;
    const { agent, place, stateDir, emit } = this.#around;
    const { publish } = agent;
    const forwarder = new Forwarder({ serviceCode, bus, place, stateDir, publish, emit });
    this.#forwarding = forwarder.start(this.#ender.signal);
  }

  /** Ends the watching and the forwarding, not the actions. Does not reject. */
  async stop(): Promise<void> {
    this.#ender.abort(new Error("the service is not managed any more"));
    await Promise.all([this.#forwarding, this.#program.stop()]);
  }
}
