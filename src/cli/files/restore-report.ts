// Puts a backup in the place of the database: what that finds out, and how it is told.

import { basename } from "node:path";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type { CopiedFile, DatabaseFacts, Restoration } from "../../domain/storage/restores.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { counted } from "../../lib/counted.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import type { View } from "../output/output.ts";
import { relativeTime } from "../output/relative-time.ts";

/** What was found out about the backup and what it replaces. */
export interface Examined {
  copied: CopiedFile;
  facts: DatabaseFacts;
  pending: string[];
  auditProblem: string | null;
  /** What else does not fit, and was accepted. */
  problems: string[];
  /** Where the digest is from that its bytes fit, or should; null: they were compared with none. */
  comparedWith: string | null;
  before: DatabaseFacts | string | null;
}

export interface RestoreReport {
  /** False after `--dry-run`. */
  restored: boolean;
  database: string;
  from: string;
  sizeBytes: number;
  sha256: string;
  schemaVersion: number;
  /** Still to apply; the next start does it. */
  pendingMigrations: string[];
  agents: number;
  openCommands: number;
  newestEventAt: string | null;
  auditHead: ChainLink | null;
  /** What does not fit, with `--unverified`; else null. */
  auditProblem: string | null;
  /** What else does not fit, with `--unverified`: its digest, its schema. */
  problems: string[];
  /** Where the digest is from that it was compared with; null: there was none. */
  comparedWith: string | null;
  /** What is replaced; null when there is nothing. */
  replaced: {
    /** Where it is kept; null after `--dry-run`. */
    keptAs: string | null;
    agents: number | null;
    newestEventAt: string | null;
    auditHead: ChainLink | null;
    /** Why it could not be read. */
    problem: string | null;
  } | null;
}

export const restoreView: View<RestoreReport> = {
  columns: [
    { name: "database", value: (report) => report.database, kind: "key" },
    { name: "from", value: (report) => report.from, kind: "key" },
    { name: "size", value: (report) => formatBytes(report.sizeBytes) },
    { name: "sha256", value: (report) => report.sha256, kind: "key" },
    { name: "schema", value: (report) => schemaOf(report) },
    { name: "agents", value: (report) => report.agents },
    { name: "open commands", value: (report) => report.openCommands },
    { name: "newest event", value: (report) => report.newestEventAt, kind: "time" },
    { name: "audit", value: (report) => auditOf(report) },
    { name: "replaced", value: (report) => report.replaced?.keptAs, kind: "key" },
  ],
  nameOf: (report) => report.database,
};

/** As a part of a question. */
export function inWords(facts: DatabaseFacts | string, now: number): string {
  if (typeof facts === "string") return "it cannot be read";
  const { agents, newestEventAt } = facts;
  const count = counted(agents, "agent");
  if (newestEventAt === null) return `${count}, no events`;
  return `${count}, last event ${relativeTime(isoTime(newestEventAt), now)}`;
}

/** `kept` is null when nothing was done, and empty when nothing was replaced. */
export function reportOf(
  restore: Restoration,
  source: string,
  { copied, facts, pending, auditProblem, problems, comparedWith, before }: Examined,
  kept: string | null,
): RestoreReport {
  const readable = typeof before === "string" ? null : before;
  return {
    restored: kept !== null,
    database: restore.file,
    from: source,
    ...copied,
    schemaVersion: facts.schemaVersion,
    pendingMigrations: pending,
    agents: facts.agents,
    openCommands: facts.openCommands,
    newestEventAt: isoTimeOrNull(facts.newestEventAt),
    auditHead: facts.auditHead,
    auditProblem,
    problems,
    comparedWith,
    replaced:
      before === null
        ? null
        : {
            keptAs: kept || null,
            agents: readable?.agents ?? null,
            newestEventAt: isoTimeOrNull(readable?.newestEventAt ?? null),
            auditHead: readable?.auditHead ?? null,
            problem: typeof before === "string" ? before : null,
          },
  };
}

function schemaOf({ schemaVersion, pendingMigrations: { length } }: RestoreReport): string {
  if (length === 0) return String(schemaVersion);
  return `${schemaVersion}; ${counted(length, "migration")} to apply`;
}

function auditOf({ auditHead, auditProblem }: RestoreReport): string {
  if (auditProblem !== null) return "not verified";
  return auditHead === null ? "no rows" : `unbroken up to row ${auditHead.seq}`;
}

function warningOf({ auditProblem, problems, comparedWith }: RestoreReport): string {
  const all = auditProblem === null ? problems : [...problems, auditProblem];
  const unknown =
    comparedWith === null
      ? "Not checked against a digest: there is no .sha256 file beside it, and --sha256 was not given.\n"
      : "";
  return unknown + all.map((problem) => `Not verified: ${problem}\n`).join("");
}

export function whatNext(report: RestoreReport, options: Record<string, unknown>): string {
  const { restored, replaced, openCommands } = report;
  const warning = warningOf(report);
  if (!restored) return `${warning}The backup can be restored; nothing was changed.\n`;
  const kept = replaced?.keptAs ?? null;
  const back =
    kept === null
      ? ""
      : replaced?.problem
        ? `What it has replaced could not be read, and is kept as it was: ${basename(kept)}.\n`
        : `What it has replaced is kept as ${basename(kept)}. To go back, while no server runs:\n` +
          `  platform restore ${kept} --db ${report.database}\n`;
  const open =
    openCommands === 0
      ? ""
      : "Open commands go on where their time is not up: an agent that has run one since the backup\n" +
        "is told of it again, under the same id.\n";
  const where = options.dataDir === undefined ? "" : ` --data-dir ${options.dataDir}`;
  return `${warning}${back}${open}Now start the server: platform serve${where}\n`;
}
