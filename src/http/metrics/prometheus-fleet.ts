// The families of single agents and services, as Prometheus reads them. A status is a label and the value
// is always 1: an alert for a status starts anew when the status changes.

import type { FleetSeries } from "../../core/fleet/fleet-series.ts";
import type { Family } from "./prometheus.ts";

export function fleetFamilies({ agents, services, omitted }: FleetSeries): Family[] {
  return [
    gauge(
      "platform_service_status",
      "Effective status of each service, in its label; always 1.",
      services.map(({ code, agentCode, status }) => ({
        labels: { service: code, agent: agentCode, status },
        value: 1,
      })),
    ),
    gauge(
      "platform_agent_status",
      "Status of each agent, in its label; always 1.",
      agents.map(({ code, status }) => ({ labels: { agent: code, status }, value: 1 })),
    ),
    gauge(
      "platform_agent_last_heartbeat_timestamp_seconds",
      "When each agent called last, in Unix time.",
      agents.flatMap(({ code, lastHeartbeatAt: at }) =>
        at === null ? [] : [{ labels: { agent: code }, value: at / 1000 }],
      ),
    ),
    gauge(
      "platform_series_omitted",
      "Agents and services without a series of their own: PLATFORM_METRICS_MAX_SERIES.",
      Object.entries(omitted).map(([kind, value]) => ({ labels: { kind }, value })),
    ),
  ];
}

function gauge(name: string, help: string, values: Family["values"]): Family {
  return { name, help, type: "gauge", values };
}
