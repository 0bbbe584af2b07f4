// Writes a series for each agent and service. The status is a label and the value is always 1, so a
// change of status starts a new series and ends alerts about the old status.

import type { FleetSeries } from "../../core/fleet/fleet-series.ts";
import { type Family, gauge, samplesBy } from "./prometheus.ts";

export function fleetFamilies({ agents, services, omitted }: FleetSeries): Family[] {
  return [
    gauge(
      "platform_service_status",
      "Effective status of each service, as a label; always 1.",
      services.map(({ code, agentCode, status }) => ({
        labels: { service: code, agent: agentCode, status },
        value: 1,
      })),
    ),
    gauge(
      "platform_agent_status",
      "Status of each agent, as a label; always 1.",
      agents.map(({ code, status }) => ({ labels: { agent: code, status }, value: 1 })),
    ),
    gauge(
      "platform_agent_last_heartbeat_timestamp_seconds",
      "Time of each agent's last request, in Unix time.",
      agents.flatMap(({ code, lastHeartbeatAt: at }) =>
        at === null ? [] : [{ labels: { agent: code }, value: at / 1000 }],
      ),
    ),
    gauge(
      "platform_series_omitted",
      "Agents and services that have no series because of PLATFORM_METRICS_MAX_SERIES.",
      samplesBy("kind", omitted),
    ),
  ];
}
