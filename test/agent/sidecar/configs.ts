// Parts of agent.yaml as the sidecar reads them: with defaults, and with times in milliseconds.

import { type ServiceConfig, sidecarConfig } from "../../../src/agent/sidecar/config/config.ts";

/** Throws if the configuration is not valid. */
export function serviceConfig(written: object): ServiceConfig {
  const checked = sidecarConfig.parse({
    server: "http://127.0.0.1:8080",
    agent: { code: "edge-1" },
    stateDir: "state",
    services: [{ code: "shop", version: "1.0.0", ...written }],
  });
  return checked.services[0] as ServiceConfig;
}

export function healthConfig(health: object): NonNullable<ServiceConfig["health"]> {
  return serviceConfig({ health }).health as NonNullable<ServiceConfig["health"]>;
}
