// Reads the current state: the first rows of the lists, and the counts of each status.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { commandStatuses, hasEnded } from "../../../domain/commands/commands.ts";
import { agentStatuses } from "../../../domain/fleet/agents.ts";
import { byUrgency } from "../../../domain/fleet/health-map.ts";
import { type EffectiveStatus, effectiveStatuses } from "../../../domain/fleet/services.ts";
import type { StreamType } from "../../../domain/stream.ts";
import type { AuditEvent } from "../audit/filters.ts";

export type Agent = Omit<Reply<"agents.list">[number], "serviceCount">;
export type Service = Reply<"services.list">[number];
export type Command = Reply<"commands.list">[number];

/** Counts by status, in the API's order, including zeros. */
export type Counts = Record<string, number>;

/** Parts that were not requested are empty. */
export interface Snapshot {
  counts: { agents: Counts; services: Counts; commands: Counts };
  agents: Agent[];
  /** A few rows of each status, problems first. */
  services: Service[];
  commands: Command[];
  audit: AuditEvent[];
}

/** More rows than any terminal has lines. */
export const rowsKept = 100;

const one = { pageSize: 1 };
const few = { pageSize: 10 };
const many = { pageSize: rowsKept };

export async function readSnapshot(
  api: Client,
  types: readonly StreamType[],
  signal: AbortSignal,
): Promise<Snapshot> {
  const options = { signal };
  const wants = (type: StreamType) => types.includes(type);
  const [numbers, commands, audit] = await Promise.all([
    readNumbers(api, types, signal),
    wants("command") ? api.call("commands.list", { query: many }, options) : [],
    wants("audit") ? api.call("audit-events.list", { query: many }, options) : [],
  ]);
  return { ...numbers, commands, audit };
}

export async function readNumbers(
  api: Client,
  types: readonly StreamType[],
  signal: AbortSignal,
): Promise<Pick<Snapshot, "counts" | "agents" | "services">> {
  const options = { signal };
  const wants = (type: StreamType) => types.includes(type);
  const found: Partial<Record<EffectiveStatus, Service[]>> = {};
  const open = commandStatuses.filter((status) => !hasEnded(status));
  const [agents, services, commands, newest] = await Promise.all([
    countEach(wants("agent") ? agentStatuses : [], (status) =>
      api.page("agents.list", { query: { ...one, status } }, options),
    ),
    countEach(wants("service") ? effectiveStatuses : [], async (status) => {
      const page = await api.page("services.list", { query: { ...few, status } }, options);
      found[status] = page.data;
      return page;
    }),
    countEach(wants("command") ? open : [], (status) =>
      api.page("commands.list", { query: { ...one, status } }, options),
    ),
    wants("agent") ? api.call("agents.list", { query: many }, options) : [],
  ]);
  const worstFirst = byUrgency.flatMap((status) => found[status] ?? []);
  return { counts: { agents, services, commands }, agents: newest, services: worstFirst };
}

async function countEach<S extends string>(
  statuses: readonly S[],
  list: (status: S) => Promise<{ pagination: { total: number } }>,
): Promise<Counts> {
  const totals = await Promise.all(
    statuses.map(async (status) => [status, (await list(status)).pagination.total] as const),
  );
  return Object.fromEntries(totals);
}
