// The tables of a live view: their columns, most important first, and their rows.

import { outcomeOf } from "../../../api/audit/words.ts";
import { cells } from "../../../api/contract/cells.ts";
import type { StreamType } from "../../../domain/stream.ts";
import type { Column } from "../../output/output.ts";
import { actorOf, messageOf, targetOf } from "../audit/list.ts";
import type { WatchState } from "./state.ts";

export interface Section {
  /** The first column names the section. States and times are never cut. */
  columns: Column<never>[];
  rows: readonly object[];
  whenEmpty: string;
  /** The section's share of the rows, relative to the other sections. */
  weight: number;
}

export function sectionsOf(state: WatchState, types: readonly StreamType[]): Section[] {
  const { commands, audit, agents, services } = state;
  return [
    ...(types.includes("command") ? [commandSection(commands)] : []),
    ...(types.includes("audit") ? [auditSection(audit)] : []),
    ...(types.includes("agent") ? [agentSection(agents)] : []),
    // Services get rows last, because the counts of each status are at the top.
    ...(services.length > 0 ? [serviceSection(services)] : []),
  ];
}

function section<Row extends object>(
  rows: readonly Row[],
  columns: Column<Row>[],
  rest: Pick<Section, "whenEmpty" | "weight">,
): Section {
  return { rows, columns: columns as Column<never>[], ...rest };
}

const commandSection = (rows: WatchState["commands"]) =>
  section(
    rows,
    [
      {
        name: "command",
        value: ({ type, action }) => (type === "ACTION_PREPARE" ? `${action} (prepare)` : action),
      },
      { name: "status", value: (command) => command.status, kind: "state" },
      { name: "service", value: (command) => command.serviceCode },
      { name: "created", value: (command) => command.createdAt, kind: "time" },
      { name: "took", value: cells.commandDuration },
      { name: "by", value: ({ source }) => source.name ?? source.kind },
      { name: "error", value: (command) => command.errorCode },
    ],
    { whenEmpty: "No commands yet.", weight: 3 },
  );

const auditSection = (rows: WatchState["audit"]) =>
  section(
    rows,
    [
      { name: "audit event", value: (event) => event.action },
      { name: "result", value: (event) => outcomeOf(event), kind: "state" },
      { name: "when", value: (event) => event.at, kind: "time" },
      { name: "actor", value: (event) => actorOf(event) },
      { name: "target", value: (event) => targetOf(event) },
      { name: "message", value: (event) => messageOf(event) },
    ],
    { whenEmpty: "No audit events yet.", weight: 2 },
  );

const agentSection = (rows: WatchState["agents"]) =>
  section(
    rows,
    [
      { name: "agent", value: (agent) => agent.code },
      { name: "status", value: (agent) => agent.status, kind: "state" },
      { name: "last seen", value: (agent) => agent.lastHeartbeatAt, kind: "time" },
      { name: "mode", value: (agent) => agent.mode },
      { name: "version", value: (agent) => agent.version },
      { name: "name", value: (agent) => agent.name },
    ],
    { whenEmpty: "No agents yet. Invite one: platformctl tokens create", weight: 1 },
  );

const serviceSection = (rows: WatchState["services"]) =>
  section(
    rows,
    [
      { name: "service", value: (service) => service.code },
      { name: "status", value: (service) => service.status, kind: "state" },
      { name: "agent", value: (service) => service.agentCode },
      { name: "reported", value: (service) => service.lastReportedAt, kind: "time" },
      { name: "version", value: (service) => service.version },
      { name: "message", value: cells.serviceMessage },
    ],
    { whenEmpty: "No services yet.", weight: 1 },
  );
