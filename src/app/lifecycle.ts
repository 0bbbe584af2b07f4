// What a service does when it starts and when it stops, apart from the listener, the jobs and the
// database.

import type { Config } from "../config/config.ts";
import { createFirstOwner } from "../core/access/users.ts";
import { writeAuditSums } from "../core/audit/repeated-events.ts";
import { copyAuditHead, logAuditHead, signAuditHead } from "../core/audit/signed-head.ts";
import { applyForeignChanges } from "../core/changes/foreign-changes.ts";
import { noteAbsence } from "../core/clock/absence.ts";
import { timeToDeleteBy } from "../core/clock/retention-clock.ts";
import { noteNode, removeNode } from "../core/cluster/nodes.ts";
import type { Core } from "../core/context.ts";
import { flushPresence } from "../core/presence/flush.ts";
import { noteRestored, reactivate } from "../core/system/offline-changes.ts";
import { workspaceOf } from "../core/system/settings.ts";
import { noteMigrated, noteSystem } from "../core/system/system.ts";

export interface Lifecycle {
  /** Adds this server, which listens at `url`, to the nodes of the cluster. */
  join(url: string): Promise<void>;
  /** Audits the start of the server, and any restore or migration that preceded it. */
  noteStarted(): Promise<void>;
  /** Audits the migrations that the trail does not contain yet. */
  noteMigrated(): Promise<void>;
  noteStopped(): Promise<void>;
  /**
   * Lets servers open this database again although its data was moved away. Returns false if no
   * data was moved away.
   */
  reactivate(osUser: string): Promise<boolean>;
  /** Makes the server report that it is not ready. It still handles every call. */
  drain(): void;
  /** Does what `drain` does, and ends every wait and all long work. */
  beginToStop(): void;
  /** Creates an owner if there is no user. Returns the password only if it was generated. */
  welcomeOwner(): Promise<{ username: string; password: string } | null>;
  /** Ends every wait and saves the data that is only in memory. The database stays open. */
  close(): Promise<void>;
}

interface LifecycleOptions {
  config: Pick<Config, "adminUsername" | "adminPassword" | "version">;
  /** The controllers of `core.draining` and `core.stopping`. */
  draining: AbortController;
  stopping: AbortController;
}

export function lifecycleOf(
  core: Core,
  { config, draining, stopping }: LifecycleOptions,
): Lifecycle {
  const { log } = core;
  const stopObeying = applyForeignChanges(core);
  const warnThat = (problem: string) => (error: unknown) => log.warn({ err: error }, problem);
  const keepHeadCopy = () =>
    copyAuditHead(core).catch(
      warnThat(`the audit trail's head could not be copied to ${core.auditHeadFile}`),
    );
  return {
    async join(url) {
      core.node.url = url;
      await noteNode(core);
    },
    async noteStarted() {
      // Runs first, because it reads times that the next writes replace.
      await noteAbsence(core);
      await timeToDeleteBy(core);
      if (await noteRestored(core)) log.info({}, "the database was restored from a backup");
      await this.noteMigrated();
      await noteSystem(core, "system.started", { version: config.version });
      await keepHeadCopy();
      // Creates the row now, so that reading the metrics writes nothing.
      await workspaceOf(core);
    },
    noteMigrated: () => noteMigrated(core),
    async noteStopped() {
      await noteSystem(core, "system.stopped");
      // Records when this server stopped.
      await timeToDeleteBy(core);
      await keepHeadCopy();
      await logAuditHead(core);
    },
    reactivate: (osUser) => reactivate(core, osUser),
    drain: () => draining.abort(),
    beginToStop() {
      draining.abort();
      stopping.abort();
      core.doorbell.close();
      // Not awaited, so that clients learn the reason before their connections close.
      void core.backups.close();
      void closeTrailVerifiers(core);
    },
    async welcomeOwner() {
      const { adminUsername: username, adminPassword: password } = config;
      const owner = await createFirstOwner(core, { username, password });
      const made = owner?.generatedPassword;
      return made ? { username: owner.username, password: made } : null;
    },
    async close() {
      this.beginToStop();
      await core.backups.close();
      await closeTrailVerifiers(core);
      stopObeying();
      core.eventLoopDelay.stop();
      // Runs first, because a later write may fail.
      await flushPresence(core);
      await writeAuditSums(core, true).catch(
        warnThat("repeated audit events could not be summarized"),
      );
      // If this fails, the previous signature remains valid.
      await signAuditHead(core).catch(warnThat("the audit trail's head could not be signed"));
      await removeNode(core).catch(warnThat("this server could not be removed from the nodes"));
      await core.leadership.resign();
    },
  };
}

async function closeTrailVerifiers({ trailVerifiers }: Core): Promise<void> {
  await Promise.all([trailVerifiers.full.close(), trailVerifiers.incremental.close()]);
}
