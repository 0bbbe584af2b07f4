// Deletes agents and services that have been silent for longer than an owner wants to keep them; off
// unless the setting `silentRetentionDays` is set.

import { AppError } from "../../domain/errors.ts";
import { hourMs } from "../../lib/duration.ts";
import { listLongSilentAgentIds } from "../../store/tables/agents.ts";
import { listLongSilentServiceIds } from "../../store/tables/services.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { deleteAgent } from "./agent-deletion.ts";
import { deleteService } from "./service-deletion.ts";

/** In one sweep. */
const most = 200;
/** While the server was down nobody could call: for so long everybody gets the chance. */
const chanceMs = hourMs;

/** Deletes the agents that are OFFLINE since before `before` (Unix milliseconds); returns how many. */
export async function deleteSilentAgents(core: Core, before: number): Promise<number> {
  if (!hasListened(core)) return 0;
  return deleteEach(core, await listLongSilentAgentIds(core.db.read, before, most), deleteAgent);
}

/** Deletes the services that nobody has reported since `before`; returns how many. */
export async function deleteSilentServices(core: Core, before: number): Promise<number> {
  if (!hasListened(core)) return 0;
  return deleteEach(
    core,
    await listLongSilentServiceIds(core.db.read, before, most),
    deleteService,
  );
}

function hasListened(core: Core): boolean {
  return core.monotonic() - core.startedAt >= chanceMs;
}

/** One that may not be deleted, because it is back or has an open command, is left for the next time. */
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
