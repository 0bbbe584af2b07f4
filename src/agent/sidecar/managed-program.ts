// One service of the configuration with all that watches it: as the library's agent is told of it, and
// what must run meanwhile.

import type { Emit } from "../events/events.ts";
import type { Service } from "../services/services.ts";
import { actionOf } from "./actions/actions.ts";
import type { ServiceConfig } from "./config/config.ts";
import type { Place } from "./place.ts";
import { configEntriesOf } from "./probes/config-values.ts";
import { HealthMonitor } from "./probes/health-monitor.ts";
import { VersionSource } from "./probes/version-source.ts";

export interface ManagedProgram {
  /** Answers what is known at the moment; it waits for nothing. */
  service: Service;
  /** Begins to watch. Resolves when health and version were asked for once, within their time-outs. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `onChange` is called when operators should hear of it now. */
export function managedProgram(
  config: ServiceConfig,
  place: Place,
  emit: Emit,
  onChange: () => void,
): ManagedProgram {
  const { code: serviceCode, name = serviceCode, description, runtime } = config;
  const version = new VersionSource({
    config: config.version,
    place,
    onChange() {
      const message = `${serviceCode} has version ${version.current()}.`;
      emit("info", message, { type: "service.version", serviceCode, version: version.current() });
      onChange();
    },
    onProblem(reason) {
      const message = `The version of ${serviceCode} cannot be told: ${reason}`;
      emit("warn", message, { type: "service.version.failed", serviceCode });
    },
  });
  const health = config.health && healthOf(config.health, serviceCode, place, emit, onChange);
  const service: Service = {
    code: serviceCode,
    name,
    ...(description === undefined ? {} : { description }),
    ...(runtime === undefined ? {} : { runtime }),
    version: () => version.current(),
    ...(health ? { health: () => health.current() } : {}),
    configs: configEntriesOf(config.configs, place),
    actions: config.actions.map((action) => actionOf(action, place)),
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

function healthOf(
  config: NonNullable<ServiceConfig["health"]>,
  serviceCode: string,
  place: Place,
  emit: Emit,
  onChange: () => void,
): HealthMonitor {
  let before = "UNKNOWN";
  const monitor = new HealthMonitor({
    config,
    place,
    onChange() {
      const { status, message: reason = "" } = monitor.current();
      const message = `${serviceCode} is ${status} (was ${before}): ${reason}`;
      const level = status === "UP" ? "info" : "warn";
      emit(level, message, { type: "service.health", serviceCode, before, status });
      before = status;
      onChange();
    },
  });
  return monitor;
}
