// What anybody may ask the service about itself. (`service.md` "System (unauthenticated)")

import { databaseDegradedMs } from "../domain/limits.ts";
import { isoTime } from "../lib/iso-time.ts";
import { signedHeadProblem } from "../store/audit-signed-head.ts";
import { probeDatabase } from "../store/probe.ts";
import { renewSignedHead } from "./audit-signed-head.ts";
import { audit } from "./audit-trail.ts";
import { type Core, type Ctx, systemContext } from "./context.ts";

export const edition = "ce";

type ProbeStatus = "UP" | "DEGRADED" | "DOWN";

/** A trivial SELECT: UP when fast, DEGRADED over 250 ms, DOWN when it fails. */
export async function health(ctx: Ctx) {
  const { core } = ctx;
  const before = core.monotonic();
  let status: ProbeStatus;
  try {
    await probeDatabase(core.db.read);
    status = core.monotonic() - before > databaseDegradedMs ? "DEGRADED" : "UP";
  } catch (error) {
    status = "DOWN";
    core.log.error({ err: error }, "the database does not answer");
  }
  const latencyMs = Math.round((core.monotonic() - before) * 1000) / 1000;
  return {
    status,
    timestamp: isoTime(core.now()),
    version: core.settings.version.version,
    edition,
    database: { status, kind: core.db.engine, latencyMs },
    uptimeSeconds: Math.floor((core.monotonic() - core.startedAt) / 1000),
  };
}

export function version(ctx: Ctx) {
  return { ...ctx.core.settings.version, edition };
}

/**
 * Leaves a trace of the service's own life: started, stopped, migrated. The trail's head is signed with
 * it; when the one that was signed before does not fit, the trace says so.
 */
export function noteSystem(
  core: Core,
  action: "system.started" | "system.stopped" | "system.migrated",
  metadata: Record<string, unknown> = {},
): Promise<void> {
  const ctx = systemContext(core);
  return core.db.write(async (tx) => {
    const problem = await signedHeadProblem(core, tx);
    await audit(ctx, tx, {
      action,
      targetType: "system",
      targetId: null,
      ...(problem ? { message: `Audit trail, row ${problem.seq}: ${problem.reason}.` } : {}),
      metadata,
    });
    await renewSignedHead(core, tx, problem);
  });
}
