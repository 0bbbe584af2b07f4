// The tables of a live view: which columns they have, the most telling first, and their rows.

import type { StreamType } from "../../../domain/stream.ts";
import { actorOf } from "../audit/list.ts";
import type { WatchState } from "./state.ts";

export interface Section {
  /** The first one names the section. States and times are never cut. */
  columns: { name: string; kind?: "state" | "time" }[];
  /** Newest first. */
  rows: (string | null)[][];
  whenEmpty: string;
  /** How much of the room it gets beside the others. */
  weight: number;
}

/** Those that the types tell of, in their order on the screen. */
export function sectionsOf(state: WatchState, types: readonly StreamType[]): Section[] {
  return [
    ...(types.includes("command") ? [commandsOf(state)] : []),
    ...(types.includes("audit") ? [auditOf(state)] : []),
    ...(types.includes("agent") ? [agentsOf(state)] : []),
    // The last to get room: how many there are of each status is told above.
    ...(state.services.length > 0 ? [servicesOf(state)] : []),
  ];
}

function commandsOf({ commands }: WatchState): Section {
  return {
    columns: [
      { name: "COMMAND" },
      { name: "STATUS", kind: "state" },
      { name: "SERVICE" },
      { name: "CREATED", kind: "time" },
      { name: "TOOK" },
      { name: "BY" },
      { name: "ERROR" },
    ],
    rows: commands.map((command) => [
      command.type === "ACTION_PREPARE" ? `${command.action} (prepare)` : command.action,
      command.status,
      command.serviceCode,
      command.createdAt,
      command.durationMs === null ? null : took(command.durationMs),
      command.source.name ?? command.source.kind,
      command.errorCode,
    ]),
    whenEmpty: "No commands yet.",
    weight: 3,
  };
}

function auditOf({ audit }: WatchState): Section {
  return {
    columns: [
      { name: "AUDIT EVENT" },
      { name: "RESULT", kind: "state" },
      { name: "WHEN", kind: "time" },
      { name: "ACTOR" },
      { name: "TARGET" },
      { name: "MESSAGE" },
    ],
    rows: audit.map((event) => [
      event.action,
      event.result,
      event.at,
      actorOf(event),
      event.targetId ?? event.targetType,
      event.message,
    ]),
    whenEmpty: "No audit events yet.",
    weight: 2,
  };
}

function agentsOf({ agents }: WatchState): Section {
  return {
    columns: [
      { name: "AGENT" },
      { name: "STATUS", kind: "state" },
      { name: "LAST SEEN", kind: "time" },
      { name: "MODE" },
      { name: "VERSION" },
      { name: "NAME" },
    ],
    rows: agents.map((agent) => [
      agent.code,
      agent.status,
      agent.lastHeartbeatAt,
      agent.mode,
      agent.version,
      agent.name,
    ]),
    whenEmpty: "No agents yet: tokens create makes an invitation for one.",
    weight: 1,
  };
}

function servicesOf({ services }: WatchState): Section {
  return {
    columns: [
      { name: "SERVICE" },
      { name: "STATUS", kind: "state" },
      { name: "AGENT" },
      { name: "REPORTED", kind: "time" },
      { name: "VERSION" },
      { name: "MESSAGE" },
    ],
    rows: services.map((service) => [
      service.code,
      service.status,
      service.agentCode,
      service.lastReportedAt,
      service.version,
      service.healthMessage,
    ]),
    whenEmpty: "No services yet.",
    weight: 1,
  };
}

function took(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${(ms / 1000).toFixed(1)}s`;
}
