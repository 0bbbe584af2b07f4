// A service of agent.yaml, with its checks, its reports and its event forwarding.

import type { Agent } from "../agent.ts";
import type { Emit } from "../events/events.ts";
import { checkService, type ManagedService } from "../services/managed-services.ts";
import type { Service } from "../services/services.ts";
import { actionOf } from "./actions/actions.ts";
import type { ServiceConfig } from "./config/config.ts";
import type { ConfigOrigin } from "./config/config-origin.ts";
import { forwardForever } from "./events/forwarder.ts";
import { configEntriesOf } from "./probes/config-values.ts";
import { HealthMonitor } from "./probes/health-monitor.ts";
import { VersionSource } from "./probes/version-source.ts";

export interface ServiceSurroundings {
  agent: Agent;
  origin: ConfigOrigin;
  /** The absolute path of the agent's state folder. */
  stateDir: string;
  emit: Emit;
  /** Whether this is the code of one of the agent's services. */
  isOwn: (source: unknown) => boolean;
  /** Called when the agent should report immediately. */
  onChange: () => void;
  /** Returns how many services the agent reports. */
  serviceCount: () => number;
  /** Called when the handler of an action of the service has ended. */
  onExecuted: (serviceCode: string) => void;
}

export class RunningService {
  readonly config: ServiceConfig;
  readonly #around: ServiceSurroundings;
  readonly #version: VersionSource;
  readonly #health: HealthMonitor | null;
  /** Its functions return the latest known values immediately. */
  readonly #service: Service;
  readonly #forwardingEnd = new AbortController();
  #watching: Promise<void> | null = null;
  #reported: ManagedService | null = null;
  #forwarding: Promise<void> | null = null;

  /** Starts nothing. Throws AgentError OPTIONS_INVALID if the server would refuse the service. */
  constructor(config: ServiceConfig, around: ServiceSurroundings) {
    this.config = config;
    this.#around = around;
    const version = versionOf(config, around);
    const health = healthOf(config, around);
    const { code, name = code, description, runtime, labels } = config;
    this.#version = version;
    this.#health = health;
    this.#service = {
      code,
      name,
      ...(description === undefined ? {} : { description }),
      ...(runtime === undefined ? {} : { runtime }),
      ...(labels === undefined ? {} : { labels }),
      version: () => version.current(),
      ...(health ? { health: () => health.current() } : {}),
      configs: configEntriesOf(config.configs, around.origin, around.serviceCount),
      actions: config.actions.map((action) =>
        actionOf(action, around.origin, () => around.onExecuted(code)),
      ),
    };
    checkService(this.#service);
  }

  /** Resolves after the first health check and the first version check, within their timeouts. */
  watch(): Promise<void> {
    this.#watching ??= this.#startChecks();
    return this.#watching;
  }

  report(): void {
    this.#reported = this.#around.agent.service(this.#service);
  }

  /** Reports as UP only what a health check finds after the action. */
  actionEnded(): void {
    this.#health?.actionEnded();
  }

  /** Stops reporting the service. Running actions continue. */
  withdraw(): void {
    this.#reported?.remove();
  }

  /** A second call has no effect. */
  forward(): void {
    const { code: serviceCode, bus } = this.config;
    const { signal } = this.#forwardingEnd;
    if (!bus || this.#forwarding || signal.aborted) return;
    const { agent, ...around } = this.#around;
    const options = { ...around, serviceCode, bus, publish: agent.publish };
    this.#forwarding = forwardForever(options, signal);
  }

  /** The remaining events stay in the service, so the stop of the agent must not wait for them. */
  stopForwarding(): void {
    this.#forwardingEnd.abort(new Error("events are no longer forwarded"));
  }

  /** Does not stop the actions. Never rejects. */
  async stop(): Promise<void> {
    this.stopForwarding();
    await Promise.all([this.#forwarding, this.#version.stop(), this.#health?.stop()]);
  }

  async #startChecks(): Promise<void> {
    this.#version.start();
    this.#health?.start();
    await Promise.all([this.#version.first, this.#health?.first]);
  }
}

function versionOf(
  { code: serviceCode, version: config }: ServiceConfig,
  { origin, emit, onChange }: ServiceSurroundings,
): VersionSource {
  const source = new VersionSource({
    config,
    origin,
    onChange() {
      const version = source.current();
      const message = `${serviceCode} has version ${version}.`;
      emit("info", message, { type: "service.version", serviceCode, version });
      onChange();
    },
    onProblem(reason) {
      const message = `Cannot read the version of ${serviceCode}: ${reason}`;
      emit("warn", message, { type: "service.version.failed", serviceCode });
    },
  });
  return source;
}

function healthOf(
  { code: serviceCode, health: config }: ServiceConfig,
  { origin, emit, onChange }: ServiceSurroundings,
): HealthMonitor | null {
  if (!config) return null;
  return new HealthMonitor({
    config,
    origin,
    onChange(before, { status, message: reason }) {
      if (status !== before) {
        const message = `${serviceCode} is ${status} (was ${before}): ${reason}`;
        const level = status === "UP" ? "info" : "warn";
        emit(level, message, { type: "service.health", serviceCode, before, status });
      }
      onChange();
    },
  });
}
