// Deletes a service that nobody reports any more. Its commands stay, with the names that they keep.

import { AppError } from "../../domain/errors.ts";
import type { Service } from "../../domain/services.ts";
import type { Tx } from "../../store/database.ts";
import { countOpenCommandsOf } from "../../store/tables/commands.ts";
import { deleteService as deleteStoredService, findService } from "../../store/tables/services.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { noSuchService, statusNow } from "./services.ts";

/**
 * Deletes a service that is OFFLINE, or STALE: its agent may live and have ceased to report it. Throws
 * SERVICE_NOT_FOUND, SERVICE_NOT_OFFLINE, SERVICE_HAS_OPEN_COMMANDS.
 */
export async function deleteService(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    const service = await findService(tx, id);
    if (!service) throw noSuchService(id);
    requireSilent(ctx, service);
    const open = await countOpenCommandsOf(tx, { serviceId: id });
    if (open > 0) throw hasOpenCommands("SERVICE_HAS_OPEN_COMMANDS", service.code, open);
    await removeService(ctx, tx, service);
  });
  return { id, deleted: true as const };
}

/** Deletes a service that may be deleted, audited. */
export async function removeService(
  ctx: Ctx,
  tx: Tx,
  service: Pick<Service, "id" | "code" | "agentId" | "agentCode">,
): Promise<void> {
  const { id, code, agentId, agentCode } = service;
  await deleteStoredService(tx, id);
  await audit(ctx, tx, {
    action: "service.deleted",
    targetId: id,
    metadata: { code, agentId, agentCode },
  });
  tx.afterCommit(() => ctx.core.reportCache.invalidate(agentId));
}

/** The next report would only bring it back. */
function requireSilent(ctx: Ctx, service: Service): void {
  const { core } = ctx;
  const status = statusNow(core, service, core.statusClock.now());
  if (
    status === "OFFLINE" ||
    (status === "STALE" && core.presence.services.get(service.id) === undefined)
  )
    return;
  throw new AppError(
    "SERVICE_NOT_OFFLINE",
    `The service ${service.code} is ${status}: the agent ${service.agentCode} reports it, and would ` +
      "bring it back. Stop the agent, or take the service out of its configuration: the service can " +
      "be deleted once it is STALE or OFFLINE.",
    { details: { status, agentId: service.agentId, agentCode: service.agentCode } },
  );
}

export function hasOpenCommands(
  code: "AGENT_HAS_OPEN_COMMANDS" | "SERVICE_HAS_OPEN_COMMANDS",
  name: string,
  count: number,
): AppError {
  const [they, them] =
    count === 1 ? ["1 command that has", "it"] : [`${count} commands that have`, "them"];
  return new AppError(
    code,
    `${name} has ${they} not ended: cancel ${them}, or wait until ${them === "it" ? "it ends" : "they end"}.`,
    { details: { openCommands: count } },
  );
}
