// The Prometheus series of agents and services. The status is a label and the value is always 1, so
// a change of status starts a new series and ends alerts about the old status.

import type { AgentStatus } from "./agents.ts";
import type { EffectiveStatus } from "./services.ts";

export interface ServiceState {
  code: string;
  agentCode: string;
  status: EffectiveStatus;
}

export interface AgentState {
  code: string;
  status: AgentStatus;
  /** Unix milliseconds; null if the agent has never called. */
  lastHeartbeatAt: number | null;
}

export function serviceSeries(services: readonly ServiceState[]): string {
  const name = "platform_service_status";
  const help = "Effective status of each service, as a label; always 1.";
  const lines = services.map(
    ({ code, agentCode, status }) =>
      `${name}{service="${labelText(code)}",agent="${labelText(agentCode)}",status="${status}"} 1`,
  );
  return gaugeText(name, help, lines);
}

export function agentSeries(agents: readonly AgentState[]): string {
  return `${statusesOf(agents)}\n\n${heartbeatsOf(agents)}`;
}

function statusesOf(agents: readonly AgentState[]): string {
  const name = "platform_agent_status";
  const lines = agents.map(
    ({ code, status }) => `${name}{agent="${labelText(code)}",status="${status}"} 1`,
  );
  return gaugeText(name, "Status of each agent, as a label; always 1.", lines);
}

function heartbeatsOf(agents: readonly AgentState[]): string {
  const name = "platform_agent_last_heartbeat_timestamp_seconds";
  const lines = agents.flatMap(({ code, lastHeartbeatAt: at }) =>
    at === null ? [] : [`${name}{agent="${labelText(code)}"} ${at / 1000}`],
  );
  return gaugeText(name, "Time of each agent's last request, in Unix time.", lines);
}

/** Returns the text of a metric family. `lines` are its samples. */
function gaugeText(name: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines].join("\n");
}

/** Returns a label's value, to be put in quotation marks. */
function labelText(value: string): string {
  if (!/["\\\n]/.test(value)) return value;
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
