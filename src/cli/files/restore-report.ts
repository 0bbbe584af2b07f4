// The report of `restore` about a backup.

import { basename } from "node:path";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import type {
  CopiedFile,
  DatabaseFacts,
  KeptFiles,
  ReplacedFacts,
  Restore,
} from "../../domain/storage/restores.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { counted } from "../../lib/counted.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { View } from "../output/output.ts";
import { relativeTime } from "../output/relative-time.ts";

/** The backup, and the database that it replaces. */
export interface Examined {
  copied: CopiedFile;
  facts: DatabaseFacts;
  pending: string[];
  auditProblem: string | null;
  /** Problems with the digest, the schema or the rows, which `--unverified` accepted. */
  problems: string[];
  /** The source of the digest that the backup was compared with; null if there was none. */
  comparedWith: string | null;
  before: ReplacedFacts | string | null;
}

export type RestoreReport = ReturnType<typeof reportOf>;

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

/** Describes a database in the confirmation question. */
export function inWords(facts: DatabaseFacts | string, now: number): string {
  if (typeof facts === "string") return "which cannot be read";
  const { agents, newestEventAt } = facts;
  const count = counted(agents, "agent");
  if (newestEventAt === null) return `${count}, no events`;
  return `${count}, last event ${relativeTime(isoTime(newestEventAt), now)}`;
}

/** `kept` is null when nothing was done. */
export function reportOf(
  restore: Restore,
  source: string,
  { copied, facts, pending, auditProblem, problems, comparedWith, before }: Examined,
  kept: (KeptFiles & { head: ChainLink | null }) | null,
) {
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
    /** Other files of the replaced database. */
    keptFiles: kept?.others ?? [],
    /** The last known row of the replaced trail; null if unknown. */
    replacedHead: kept?.head ?? null,
    replaced:
      before === null
        ? null
        : {
            keptAs: kept?.database ?? null,
            agents: readable?.agents ?? null,
            newestEventAt: isoTimeOrNull(readable?.newestEventAt ?? null),
            auditHead: readable?.auditHead ?? null,
            /** Why the replaced database could not be read. */
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
      ? "The backup was not checked against a digest: it has no .sha256 file, and --sha256 was not given.\n"
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
        ? `The replaced database could not be read, and is kept as it was: ${basename(kept)}.\n`
        : `The replaced database is kept as ${basename(kept)}. To go back, stop the server and run:\n` +
          `  platform restore ${shellWord(kept)} --db ${shellWord(report.database)}\n`;
  const open =
    openCommands === 0
      ? ""
      : "Open commands continue until they expire. An agent that has run one since the backup\n" +
        "receives it again, under the same id.\n";
  const start = startOn(report.database, options);
  return `${warning}${back}${remainsOf(report)}${open}Now start the server: ${start}\n`;
}

/** Without flags, `serve` uses the same environment variables as `restore` did. */
function startOn(file: string, { db, dataDir }: Record<string, unknown>): string {
  if (db !== undefined) return `PLATFORM_DATABASE_URL=${shellWord(file)} platform serve`;
  if (dataDir === undefined) return "platform serve";
  return `platform serve --data-dir ${shellWord(String(dataDir))}`;
}

/** What is left of a database that was lost or could not be read. */
function remainsOf({ replaced, keptFiles, replacedHead }: RestoreReport): string {
  const isWhole = replaced !== null && replaced.problem === null;
  if (isWhole || keptFiles.length === 0) return "";
  const names = keptFiles.map((file) => basename(file)).join(", ");
  const head = replacedHead
    ? `Its audit trail went up to row ${replacedHead.seq}, which the restored trail records.\n`
    : "";
  return `Also kept of the old database: ${names}.\n${head}`;
}
