// `platform restore`: replaces the database with a checked backup. (docs/guides/backup.md)

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FailureCode } from "../../../domain/guides/command-line-guide.ts";
import type { AuditCheck } from "../../../domain/storage/database-checks.ts";
import type { FilePlace } from "../../../domain/storage/place.ts";
import { restoreNotSupported } from "../../../domain/storage/postgres-tools.ts";
import type { Restore } from "../../../domain/storage/restores.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { operatorName } from "../../../lib/files/accounts.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { Invocation } from "../../command.ts";
import { filePlace } from "../../connecting/database-place.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { inChild } from "../../files/child-processes.ts";
import { readDigest } from "../../files/digest-file.ts";
import { inUse } from "../../files/in-use.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import {
  type Examined,
  inWords,
  type RestoreReport,
  reportOf,
  restoreView,
  whatNext,
} from "../../files/restore-report.ts";
import { isForPeople, printOne } from "../../output/output.ts";
import { type Progress, startProgress } from "../../terminal/progress.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

export async function restoreDatabase(invocation: Invocation): Promise<void> {
  const { io, args, options, signal } = invocation;
  const wanted = options as { dryRun?: boolean; unverified?: boolean; sha256?: string };
  const place = await filePlace(io, options, restoreNotSupported);
  refuseRoot(place);
  const source = resolve(args[0] ?? "");
  const { sizeOf } = await import("../../../store/engine/sqlite/file.ts");
  // Throws if the folder is not accessible, because otherwise its key would seem to be missing.
  sizeOf(place.file);
  if (!existsSync(place.auditKeyFile) && !wanted.unverified) {
    throw refused("AUDIT_KEY_MISSING", keyMissing(place));
  }
  const expected = expectedDigest(source, wanted.sha256);
  const restore = await begin(source, place.file, wanted.dryRun === true);
  try {
    const examined = await examine(invocation, restore, place, expected);
    signal.throwIfAborted();
    if (!wanted.dryRun) await agreeTo(invocation, restore, examined);
    const report = wanted.dryRun
      ? reportOf(restore, source, examined, null)
      : await putInPlace(invocation, restore, source, examined);
    printOne(io, options, report, restoreView);
    if (isForPeople(options)) io.note(`\n${whatNext(report, options)}`);
  } finally {
    restore.end();
  }
}

async function begin(source: string, file: string, rehearsal: boolean): Promise<Restore> {
  const { FileRestore, isSameFile } = await import("../../../store/files/restore.ts");
  if (isSameFile(source, file)) throw usageError(`${source} is the database itself.`);
  const { FileInUse } = await import("../../../store/files/replace-file.ts");
  try {
    return FileRestore.begin(source, file, rehearsal);
  } catch (error) {
    throw error instanceof FileInUse ? inUse(file) : error;
  }
}

async function examine(
  { io, options, signal }: Invocation,
  restore: Restore,
  place: FilePlace,
  expected: Digest | null,
): Promise<Examined> {
  using progress = startProgress(io, "copying");
  const say = (bytes: number) => progress.say(`copying ${formatBytes(bytes)}`);
  const copied = await restore.copy(say, signal);
  const unverified = options.unverified === true;
  const problems = [
    accepted("DIGEST_DIFFERS", digestProblem(copied.sha256, expected), unverified),
    accepted("SCHEMA_DIFFERS", schemaProblem(restore), unverified),
  ].filter((problem) => problem !== null);
  const { facts, pending } = restore.describe();
  const auditProblem = await checkCopy(restore, place, unverified, progress, signal);
  // If the audit trail does not verify, it proves nothing about other rows.
  const unknownRows = auditProblem === null ? await rowsProblemOf(restore, io.now()) : null;
  const rowsProblem = accepted("ROWS_DIFFER", unknownRows, unverified);
  if (rowsProblem !== null) problems.push(rowsProblem);
  return {
    copied,
    facts,
    pending,
    auditProblem,
    problems,
    comparedWith: expected?.from ?? null,
    before: restore.describeReplaced(),
  };
}

interface Digest {
  sha256: string;
  /** Where the digest is from: a flag or a file. */
  from: string;
}

function expectedDigest(source: string, given: string | undefined): Digest | null {
  if (given === undefined) return readDigest(source);
  const sha256 = given.toLowerCase();
  if (/^[0-9a-f]{64}$/.test(sha256)) return { sha256, from: "--sha256" };
  throw usageError("--sha256 must be the 64 hexadecimal digits that `platform backup` printed.");
}

function digestProblem(sha256: string, expected: Digest | null): string | null {
  if (expected === null || expected.sha256 === sha256) return null;
  return (
    `the backup has changed since it was made: its SHA-256 is ${sha256}, but ${expected.from} has ` +
    `${expected.sha256}.`
  );
}

function schemaProblem(restore: Restore): string | null {
  const problem = restore.schemaProblem();
  return problem && `the backup's schema was changed by another program: ${problem}.`;
}

async function rowsProblemOf(restore: Restore, now: number): Promise<string | null> {
  const discrepancies = await restore.discrepancies(now);
  if (discrepancies.length === 0) return null;
  return `the backup was changed by another program: ${discrepancies.join("; ")}.`;
}

/** Throws the problem unless `--unverified` accepts it. */
function accepted(code: FailureCode, problem: string | null, unverified: boolean): string | null {
  if (problem === null || unverified) return problem;
  const remedy = "Use another backup, or restore this one anyway with --unverified.";
  throw refused(code, `${problem} ${remedy}`);
}

/** Returns the audit chain's problem if `--unverified` accepts it; otherwise throws it. */
async function checkCopy(
  restore: Restore,
  place: FilePlace,
  unverified: boolean,
  progress: Progress,
  signal: AbortSignal,
): Promise<string | null> {
  progress.say("checking every page and the audit chain");
  const { auditKeyFile } = place;
  const key = existsSync(auditKeyFile) ? auditKeyFile : null;
  const request = { file: restore.draft, auditKeyFile: key, deep: true, draft: true };
  const { damage, audit } = await inChild.checkDatabase(request, signal);
  if (damage !== null) {
    throw refused("BACKUP_DAMAGED", `the backup is damaged: ${damage}. Use another backup.`);
  }
  const problem = audit === null ? keyMissing(place) : problemOf(audit, auditKeyFile);
  if (problem === null || unverified) return problem;
  const more = "To restore the backup anyway, add --unverified.";
  throw refused("AUDIT_NOT_VERIFIED", `${problem} ${more}`);
}

function refused(code: FailureCode, message: string): CliError {
  return new CliError(exit.failed, `nothing was changed: ${message}`, { code });
}

function keyMissing({ auditKeyFile }: FilePlace): string {
  return (
    `${auditKeyFile} does not exist, so the backup's audit trail cannot be verified, and no server ` +
    "starts without this key. Copy it from the host where the backup was made."
  );
}

function problemOf({ broken, keyFits }: AuditCheck, auditKeyFile: string): string | null {
  if (broken === null) return null;
  if (keyFits) return `the backup's audit trail is broken at row ${broken.seq}: ${broken.reason}.`;
  return (
    `${auditKeyFile} is not the key of the backup's audit trail, or the trail's first row ` +
    "was changed. A server does not start with the wrong key: use the key that belongs to the backup."
  );
}

async function agreeTo(
  { io, options, signal }: Invocation,
  restore: Restore,
  { facts, before }: Examined,
): Promise<void> {
  if (before === null) return;
  const now = io.now();
  const old = `${restore.file} (${inWords(before, now)})`;
  const question = `Replace ${old} with the backup (${inWords(facts, now)})?`;
  await confirmOrRefuse(io, question, options.yes === true);
  signal.throwIfAborted();
}

async function putInPlace(
  { io, options }: Invocation,
  restore: Restore,
  source: string,
  examined: Examined,
): Promise<RestoreReport> {
  const { copied, facts, before } = examined;
  const { FileInUse } = await import("../../../store/files/replace-file.ts");
  const at = io.now();
  const readable = typeof before === "string" ? null : before;
  const replacedHead = readable ? readable.auditHead : restore.lostHead();
  const note = { at, osUser: operatorName(), ...copied, auditHead: facts.auditHead, replacedHead };
  const applied = restore.finish(note, readable?.pastRestores ?? [], options.migrate === true);
  try {
    const kept = restore.replace(isoTime(at).replace(/[-:]/g, "").replace("T", "-").slice(0, 15));
    const pending = examined.pending.filter((name) => !applied.includes(name));
    const schemaVersion = facts.schemaVersion + applied.length;
    const now = { ...examined, pending, facts: { ...facts, schemaVersion } };
    return reportOf(restore, source, now, { ...kept, head: replacedHead });
  } catch (error) {
    throw error instanceof FileInUse ? inUse(restore.file) : error;
  }
}
