// Deletes agents and services that have been silent for `silentRetentionDays`.

import { refusalIn } from "../../domain/errors.ts";
import { hourMs } from "../../lib/duration.ts";
import { listLongSilentAgentIds } from "../../store/tables/fleet/agents.ts";
import { listLongSilentServiceIds } from "../../store/tables/fleet/services.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { deleteAgent } from "./agent-deletion.ts";
import { deleteService } from "./service-deletion.ts";

const most = 200;
/** Nothing is deleted until agents have been able to call for this long without interruption. */
const chanceMs = hourMs;

/** `before` is in Unix milliseconds. */
export async function deleteSilentAgents(core: Core, before: number): Promise<number> {
  if (!hasListened(core)) return 0;
  return deleteEach(core, await listLongSilentAgentIds(core.db.read, before, most), deleteAgent);
}

export async function deleteSilentServices(core: Core, before: number): Promise<number> {
  if (!hasListened(core)) return 0;
  const ids = await listLongSilentServiceIds(core.db.read, before, most);
  return deleteEach(core, ids, deleteService);
}

function hasListened(core: Core): boolean {
  return core.statusClock.heardForMs() >= chanceMs;
}

/** Deletes each agent or service, except those that have returned or have an open command. */
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
      // A refusal means that the agent or service has called again, or has an open command.
      refusalIn(error);
    }
  }
  return count;
}
