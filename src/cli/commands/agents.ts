// `platformctl agents …`

import type { QueryInput, ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Invocation } from "../command.ts";
import { resolveAgent } from "../names/resolve.ts";
import { printPages } from "../output/listing.ts";
import {
  type Column,
  type ListView,
  type OutputOptions,
  printOne,
  section,
  type View,
} from "../output/output.ts";
import { relativeTime } from "../output/relative-time.ts";
import type { Io } from "../terminal/io.ts";
import { confirmOrRefuse } from "../terminal/prompts.ts";
import { deletedView } from "./deleted.ts";

type Agent = ReplyData<Routes["agents.list"]>[number];
type AgentDetail = ReplyData<Routes["agents.get"]>;
type Query = NonNullable<QueryInput<Routes["agents.list"]>>;

const tokenColumn: Column<Agent> = {
  name: "token",
  // An older server leaves it out.
  value: (agent) => agent.tokenState?.toLowerCase(),
};

const view: ListView<Agent> = {
  columns: [
    { name: "code", value: (agent) => agent.code, kind: "key" },
    { name: "status", value: (agent) => agent.status, kind: "state" },
    { name: "why", value: (agent) => reasonOf(agent) },
    { name: "last seen", value: (agent) => agent.lastHeartbeatAt, kind: "time" },
    { name: "mode", value: (agent) => agent.mode },
    { name: "version", value: (agent) => agent.version },
    { name: "id", value: (agent) => agent.id, kind: "key" },
    { name: "name", value: (agent) => agent.name, wide: true },
    { name: "registered", value: (agent) => agent.registeredAt, kind: "time", wide: true },
    { ...tokenColumn, wide: true },
    { name: "labels", value: (agent) => labelsOf(agent.labels), wide: true },
  ],
  nameOf: (agent) => agent.code,
  whenEmpty: "No agents. Invite one: platformctl tokens create",
};

const detailView: View<AgentDetail> = {
  ...view,
  columns: [
    ...view.columns.filter(({ name }) => name !== tokenColumn.name),
    tokenColumn,
    { name: "disabled", value: (agent) => agent.disabledAt, kind: "time" },
  ],
};

export async function listAgents(invocation: Invocation): Promise<void> {
  const { status, token, mode, label, search } = invocation.options as Record<
    string,
    string | undefined
  >;
  const filters = { status, tokenState: token, mode, label, q: search };
  const api = await invocation.client();
  await printPages(invocation, view, filters, (page) =>
    api.page("agents.list", { query: { ...page, ...filters } as Query }),
  );
}

export async function getAgent(invocation: Invocation): Promise<void> {
  await callAndPrint(invocation, "agents.get");
}

export async function disableAgent(invocation: Invocation): Promise<void> {
  await callAndPrint(invocation, "agents.disable");
}

export async function enableAgent(invocation: Invocation): Promise<void> {
  await callAndPrint(invocation, "agents.enable");
}

export async function revokeAgentToken(invocation: Invocation): Promise<void> {
  const { io, args, options } = invocation;
  const question = `Revoke the token of ${args[0]}? It must then register again.`;
  await confirmOrRefuse(io, question, options.yes === true);
  await callAndPrint(invocation, "agents.revoke-token");
}

export async function deleteAgent({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const agentId = await resolveAgent(api, args[0] ?? "");
  const { code, services } = await api.call("agents.get", { params: { agentId } });
  const its = services.length === 0 ? "its token" : `its token and ${servicesIn(services.length)}`;
  await confirmOrRefuse(io, `Delete ${code}, ${its}? Its commands stay.`, options.yes === true);
  const deleted = await api.call("agents.delete", { params: { agentId } });
  printOne(io, options as OutputOptions, deleted, deletedView);
}

function servicesIn(count: number): string {
  return count === 1 ? "its service" : `its ${count} services`;
}

type AgentCall = "agents.get" | "agents.disable" | "agents.enable" | "agents.revoke-token";

async function callAndPrint({ io, args, options, client }: Invocation, name: AgentCall) {
  const api = await client();
  const agentId = await resolveAgent(api, args[0] ?? "");
  const agent = await api.call(name, { params: { agentId } });
  printAgent(io, options as OutputOptions, agent);
}

export function printAgent(io: Io, options: OutputOptions, agent: AgentDetail): void {
  printOne(io, options, agent, detailView, () => servicesOf(agent) + refusedOf(agent, io.now()));
}

/** Of one that is DISABLED the status says it all. */
function reasonOf({ status, offlineReason }: Agent): string | null {
  return status === "OFFLINE" ? (offlineReason?.toLowerCase().replace("_", " ") ?? null) : null;
}

function refusedOf({ refusedServices = [] }: AgentDetail, now: number): string {
  // An older server leaves them out.
  if (refusedServices.length === 0) return "";
  const lines = refusedServices.map(({ serviceCode, agentCode, since }) => {
    return `${serviceCode} belongs to ${agentCode}; refused since ${relativeTime(since, now)}`;
  });
  return section("refused services", lines.join("\n"));
}

function servicesOf(agent: AgentDetail): string {
  if (agent.services.length === 0) return "";
  const lines = agent.services.map((one) => `${one.code} ${one.version} ${one.status}`);
  return section("services", lines.join("\n"));
}

function labelsOf(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}:${value}`)
    .join(" ");
}
