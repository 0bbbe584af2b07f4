// Deletes agents and services that have been silent for `silentRetentionDays`, unless that setting
// is 0.

import { AppError } from "../../domain/errors.ts";
import { hourMs } from "../../lib/duration.ts";
import { listLongSilentAgentIds } from "../../store/tables/agents.ts";
import { listLongSilentServiceIds } from "../../store/tables/services.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { deleteAgent } from "./agent-deletion.ts";
import { deleteService } from "./service-deletion.ts";

/** The maximum number of deletions in one sweep. */
const most = 200;
/**
 * How long after a start nothing is deleted, because no agent could call while the server was down.
 */
const chanceMs = hourMs;

/**
 * Deletes the agents that have been OFFLINE since before `before` (Unix milliseconds) and returns
 * how many.
 */
export async function deleteSilentAgents(core: Core, before: number): Promise<number> {
  if (!hasListened(core)) return 0;
  return deleteEach(core, await listLongSilentAgentIds(core.db.read, before, most), deleteAgent);
}

/** Deletes the services that were last reported before `before` and returns how many. */
export async function deleteSilentServices(core: Core, before: number): Promise<number> {
  if (!hasListened(core)) return 0;
  const ids = await listLongSilentServiceIds(core.db.read, before, most);
  return deleteEach(core, ids, deleteService);
}

function hasListened(core: Core): boolean {
  return core.monotonic() - core.startedAt >= chanceMs;
}

/** Deletes each agent or service, except those that are back or have an open command. */
async function deleteEach(
  core: Core,
  ids: string[],
  deleteOne: (ctx: Ctx, id: string) => Promise<unknown>,
): Promise<number> {
  const ctx = systemContext(core);
  let count = 0;
  for (const id of ids) {
    if (core.stopping.aborted) break;
    try {
      await deleteOne(ctx, id);
      count++;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
    }
  }
  return count;
}
