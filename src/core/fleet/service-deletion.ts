// Deletes a service that is no longer reported. Its commands keep its name.

import { AppError } from "../../domain/errors.ts";
import type { Service } from "../../domain/fleet/services.ts";
import { formatDuration } from "../../lib/duration.ts";
import type { Tx } from "../../store/database.ts";
import { countOpenCommandsOf } from "../../store/tables/commands/commands.ts";
import { deletePeriodsOf } from "../../store/tables/fleet/service-history.ts";
import { deleteService as deleteStoredService } from "../../store/tables/fleet/services.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import type { Ctx } from "../context.ts";
import { requireMayDelete } from "./assigned-labels.ts";
import { requireService, statusNow } from "./services.ts";

export async function deleteService(ctx: Ctx, id: string) {
  let isGone = false;
  while (!isGone) isGone = await ctx.core.db.write((tx) => deleteSome(ctx, tx, id));
  return { id, deleted: true as const };
}

/** Returns whether the service itself was deleted. */
async function deleteSome(ctx: Ctx, tx: Tx, id: string): Promise<boolean> {
  const service = await requireService(tx, id);
  requireMayDelete(ctx, service);
  requireSilent(ctx, service);
  const open = await countOpenCommandsOf(tx, { serviceId: id });
  if (open > 0) throw hasOpenCommands("SERVICE_HAS_OPEN_COMMANDS", service.code, open);
  return removeService(ctx, tx, service);
}

/** A service that changes its status all the time can have a long history. */
const periodsAtOnce = 500;

/**
 * The caller must have checked that the service can be deleted. Returns false if only a part of the
 * service's history was deleted, and another transaction must continue.
 */
export async function removeService(
  ctx: Ctx,
  tx: Tx,
  service: Pick<Service, "id" | "code" | "agentId" | "agentCode">,
): Promise<boolean> {
  const { id, code, agentId, agentCode } = service;
  if ((await deletePeriodsOf(tx, id, periodsAtOnce)) === periodsAtOnce) return false;
  await deleteStoredService(tx, id);
  const metadata = { code, agentId, agentCode };
  await audit(ctx, tx, { action: "service.deleted", targetId: id, metadata });
  noteChange(ctx.core, tx, "report", agentId);
  return true;
}

/** Refuses a service that is still reported, because the next report would create it again. */
function requireSilent(ctx: Ctx, service: Service): void {
  const { core } = ctx;
  const { code, agentId, agentCode, movedAt } = service;
  const status = statusNow(core, service, core.statusClock.now());
  const isReported = core.presence.services.get(service.id) !== undefined;
  if (status === "OFFLINE" || service.removedAt !== null) return;
  if (status === "STALE" && !isReported) return;
  const staleAfter = formatDuration(core.settings.thresholds.serviceStaleMs / 1000);
  const why =
    movedAt === null
      ? `the agent ${agentCode} reports it, and would bring it back. Stop the agent, or remove the ` +
        "service from its configuration: the service can be deleted once it is STALE or OFFLINE."
      : `it was moved to the agent ${agentCode}, which may report it soon. If no agent reports it, ` +
        `it can be deleted once it is STALE, ${staleAfter} after its last report.`;
  throw new AppError("SERVICE_NOT_OFFLINE", `The service ${code} is ${status}: ${why}`, {
    details: { status, agentId, agentCode },
  });
}

export function hasOpenCommands(
  code: "AGENT_HAS_OPEN_COMMANDS" | "SERVICE_HAS_OPEN_COMMANDS",
  name: string,
  count: number,
): AppError {
  const message =
    count === 1
      ? `${name} has an open command: cancel it, or wait until it has ended.`
      : `${name} has ${count} open commands: cancel them, or wait until they have ended.`;
  return new AppError(code, message, { details: { openCommands: count } });
}
