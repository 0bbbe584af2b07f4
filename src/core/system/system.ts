// Health, readiness and version, and audit rows about the service itself.

import type { AuditAction } from "../../domain/audit/audit-events.ts";
import { databaseDegradedMs } from "../../domain/limits.ts";
import { describeStorageProblem, storageFailureOf } from "../../domain/storage/failures.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { inTime } from "../../lib/time-limit.ts";
import { signedHeadProblem } from "../../store/audit/signed-head.ts";
import type { Tx } from "../../store/database.ts";
import { newestVersion } from "../../store/engine/migrations.ts";
import { installationIdOf } from "../../store/files/key-files.ts";
import { takeMigrationNote } from "../../store/files/migration-note.ts";
import { findDamagedRow } from "../../store/tables/audit-damage.ts";
import { minimumVersion } from "../../store/tables/schema-migrations.ts";
import { probeDatabase } from "../../store/tables/settings.ts";
import { openLoss } from "../audit/data-loss.ts";
import { noteLostHead, renewSignedHead } from "../audit/signed-head.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";

export const edition = "ce";

const stopping = { reason: "STOPPING", message: "The server is stopping." } as const;

const tooOld = {
  reason: "PROGRAM_TOO_OLD",
  message: "A newer program has changed the database's schema: upgrade this server.",
} as const;

/** How long a readiness check waits for the database. Load balancers wait for a few seconds. */
const answerMs = 2000;

/**
 * DEGRADED means that a small read takes longer than 250 ms, that confirmed changes are gone, or
 * that somebody changed the audit trail. The status is DOWN if the read fails or if writes fail
 * because of the storage.
 */
export async function health(ctx: Ctx) {
  const { core } = ctx;
  const before = core.monotonic();
  let tookMs: number | null = null;
  let status: "UP" | "DEGRADED" | "DOWN";
  let problem = core.storage.problem();
  try {
    await probeDatabase(core.db.read);
    tookMs = core.monotonic() - before;
    if ((await openLoss(core.db.read)) !== null) {
      problem ??= { reason: "DATA_LOST", message: describeStorageProblem("DATA_LOST") };
    }
    if ((await findDamagedRow(core.db.read)) !== null) {
      problem ??= { reason: "AUDIT_BROKEN", message: describeStorageProblem("AUDIT_BROKEN") };
    }
    status = tookMs > databaseDegradedMs || problem !== null ? "DEGRADED" : "UP";
  } catch (error) {
    const failure = storageFailureOf(error);
    problem ??= failure && { reason: failure.reason, message: failure.message };
    status = "DOWN";
    if (!core.storage.recordFailure(core, error)) {
      core.log.error({ err: error }, "the database does not respond");
    }
  }
  if (core.storage.problem() !== null) status = "DOWN";
  const warning = core.storage.warning();
  const latencyMs = Math.round((tookMs ?? core.monotonic() - before) * 1000) / 1000;
  return {
    status,
    timestamp: isoTime(core.now()),
    version: core.settings.version.version,
    edition,
    database: {
      status,
      kind: core.db.engine,
      latencyMs,
      ...problem,
      ...(warning === null ? {} : { warning }),
    },
    installationId: installationIdOf(core.auditKey),
    uptimeSeconds: Math.floor((core.monotonic() - core.startedAt) / 1000),
  };
}

/**
 * A server is not ready if it is stopping, cannot read or write its database, or is older than the
 * schema allows.
 */
export async function readiness({ core }: Ctx) {
  const problem = isLeaving(core) ? stopping : (core.storage.problem() ?? (await unusable(core)));
  // The stop can have begun during the read.
  const reason = isLeaving(core) ? stopping : problem;
  return reason === null ? { ready: true } : { ready: false, ...reason };
}

function isLeaving({ draining, stopping }: Core): boolean {
  return draining.aborted || stopping.aborted;
}

async function unusable(core: Core) {
  try {
    const minimum = await inTime(answerMs, minimumVersion(core.db.read));
    return minimum > newestVersion(core.db.engine) ? tooOld : null;
  } catch (error) {
    const failure = storageFailureOf(error);
    if (failure) return { reason: failure.reason, message: failure.message };
    return { message: "The database does not respond." };
  }
}

export function version(ctx: Ctx) {
  return { ...ctx.core.settings.version, edition };
}

/** Also signs the head of the trail. The message reports a previous head that does not match. */
export function noteSystem(
  core: Core,
  action: "system.started" | "system.stopped",
  metadata: Record<string, unknown> = {},
): Promise<void> {
  return core.db.write((tx) => auditSystem(core, tx, action, metadata));
}

/** Like `noteSystem`, but for the migrations that the trail does not contain yet. */
export function noteMigrated(core: Core): Promise<void> {
  return core.db.write(async (tx) => {
    const migrations = await takeMigrationNote(tx);
    if (migrations.length > 0) await auditSystem(core, tx, "system.migrated", { migrations });
  });
}

async function auditSystem(
  core: Core,
  tx: Tx,
  action: AuditAction,
  metadata: Record<string, unknown>,
): Promise<void> {
  const problem = await signedHeadProblem(core, tx);
  await audit(systemContext(core), tx, {
    action,
    targetId: null,
    ...(problem ? { message: `Audit trail, row ${problem.seq}: ${problem.reason}.` } : {}),
    metadata,
  });
  await noteLostHead(core, tx, problem);
  await renewSignedHead(core, tx, problem);
}
