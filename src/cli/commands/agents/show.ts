import type { Reply } from "../../../api/index.ts";
import { stopOneOf } from "../../../domain/fleet/agent-instances.ts";
import { printRow } from "../../nouns/view.ts";
import { labelsSection } from "../../output/labels.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import { relativeTime } from "../../output/relative-time.ts";
import type { Io } from "../../terminal/io.ts";

type AgentDetail = Reply<"agents.get">;

export function printAgent(io: Io, options: OutputOptions, agent: AgentDetail): void {
  printRow(io, options, "agents", agent, () => [
    labelsSection(agent.labelSources),
    servicesOf(agent),
    refusedOf(agent, io.now()),
    duplicatedOf(agent, io.now()),
  ]);
}

function duplicatedOf({ code, duplicatedAt }: AgentDetail, now: number): string {
  // Older servers do not return this field.
  if (!duplicatedAt) return "";
  const what = `Two programs use this agent's token, last ${relativeTime(duplicatedAt, now)}.`;
  return section("duplicated", `${what}\n${stopOneOf(code)}`);
}

function refusedOf({ refusedServices = [] }: AgentDetail, now: number): string {
  // Older servers do not return this field.
  if (refusedServices.length === 0) return "";
  const lines = refusedServices.map(({ serviceCode, agentCode, since }) => {
    return `${serviceCode} belongs to ${agentCode}; first refused ${relativeTime(since, now)}`;
  });
  return section("refused services", lines.join("\n"));
}

function servicesOf(agent: AgentDetail): string {
  if (agent.services.length === 0) return "";
  const lines = agent.services.map(({ code, version, status, removedAt }) => {
    return `${code} ${version} ${status}${removedAt ? ", removed" : ""}`;
  });
  return section("services", lines.join("\n"));
}
