// A service of the sidecar, with its checks, its reports and its event forwarding.

import type { Agent } from "../agent.ts";
import type { Emit } from "../events/events.ts";
import { checkService, type ManagedService } from "../services/managed-services.ts";
import type { ServiceConfig } from "./config/config.ts";
import type { ConfigOrigin } from "./config/config-origin.ts";
import { forwardForever } from "./events/forwarder.ts";
import { type ManagedProgram, managedProgram } from "./managed-program.ts";

export interface ServiceSurroundings {
  agent: Agent;
  origin: ConfigOrigin;
  /** The absolute path of the agent's state folder. */
  stateDir: string;
  emit: Emit;
  /** Called when the agent should report immediately. */
  onChange: () => void;
}

export class RunningService {
  readonly config: ServiceConfig;
  readonly #around: ServiceSurroundings;
  readonly #program: ManagedProgram;
  readonly #ender = new AbortController();
  #watching: Promise<void> | null = null;
  #reported: ManagedService | null = null;
  #forwarding: Promise<void> | null = null;

  /** Starts nothing. Throws AgentError OPTIONS_INVALID if the server would refuse the service. */
  constructor(config: ServiceConfig, around: ServiceSurroundings) {
    this.config = config;
    this.#around = around;
    this.#program = managedProgram(config, around.origin, around.emit, around.onChange);
    checkService(this.#program.service);
  }

  /** Resolves after the first health check and the first version check, within their timeouts. */
  watch(): Promise<void> {
    this.#watching ??= this.#program.start();
    return this.#watching;
  }

  report(): void {
    this.#reported = this.#around.agent.service(this.#program.service);
  }

  /** Stops reporting the service. Running actions continue. */
  withdraw(): void {
    this.#reported?.remove();
  }

  /** A second call has no effect. */
  forward(): void {
    const { code: serviceCode, bus } = this.config;
    if (!bus || this.#forwarding || this.#ender.signal.aborted) return;
    const { agent, ...around } = this.#around;
    const options = { ...around, serviceCode, bus, publish: agent.publish };
    this.#forwarding = forwardForever(options, this.#ender.signal);
  }

  /** Does not stop the actions. Never rejects. */
  async stop(): Promise<void> {
    this.#ender.abort(new Error("the service is no longer managed"));
    await Promise.all([this.#forwarding, this.#program.stop()]);
  }
}
