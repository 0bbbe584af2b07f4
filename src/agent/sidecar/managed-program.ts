// A service of agent.yaml, with its health and version checks, as a service of the agent library.

import type { Emit } from "../events/events.ts";
import type { Service } from "../services/services.ts";
import { actionOf } from "./actions/actions.ts";
import type { ServiceConfig } from "./config/config.ts";
import type { ConfigOrigin } from "./config/config-origin.ts";
import { configEntriesOf } from "./probes/config-values.ts";
import { HealthMonitor, type HealthStatus, type MonitoredHealth } from "./probes/health-monitor.ts";
import { VersionSource } from "./probes/version-source.ts";

export interface ManagedProgram {
  /** Its functions return the latest known values immediately. */
  service: Service;
  /** Resolves after the first health check and the first version check, within their timeouts. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `onChange` is called when the agent should report immediately. */
export function managedProgram(
  config: ServiceConfig,
  origin: ConfigOrigin,
  emit: Emit,
  onChange: () => void,
): ManagedProgram {
  const { code: serviceCode, name = serviceCode, description, runtime, labels } = config;
  const version = new VersionSource({
    config: config.version,
    origin,
    onChange() {
      const message = `${serviceCode} has version ${version.current()}.`;
      emit("info", message, { type: "service.version", serviceCode, version: version.current() });
      onChange();
    },
    onProblem(reason) {
      const message = `Cannot read the version of ${serviceCode}: ${reason}`;
      emit("warn", message, { type: "service.version.failed", serviceCode });
    },
  });
  const onHealth = (before: HealthStatus, { status, message: reason }: MonitoredHealth) => {
    const message = `${serviceCode} is ${status} (was ${before}): ${reason}`;
    const level = status === "UP" ? "info" : "warn";
    emit(level, message, { type: "service.health", serviceCode, before, status });
    onChange();
  };
  const health =
    config.health && new HealthMonitor({ config: config.health, origin, onChange: onHealth });
  const service: Service = {
    code: serviceCode,
    name,
    ...(description === undefined ? {} : { description }),
    ...(runtime === undefined ? {} : { runtime }),
    ...(labels === undefined ? {} : { labels }),
    version: () => version.current(),
    ...(health ? { health: () => health.current() } : {}),
    configs: configEntriesOf(config.configs, origin),
    actions: config.actions.map((action) => actionOf(action, origin)),
  };
  return {
    service,
    async start() {
      version.start();
      health?.start();
      await Promise.all([version.first, health?.first]);
    },
    async stop() {
      await Promise.all([version.stop(), health?.stop()]);
    },
  };
}
