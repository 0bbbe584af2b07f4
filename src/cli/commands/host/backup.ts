// `platform backup`: copies the database, and keeps the copy only if it is complete.
// (docs/guides/backup.md)

import { resolve } from "node:path";
import type { Client } from "../../../client/client.ts";
import { backupNotSupported } from "../../../domain/storage/postgres-tools.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import type { Invocation, Options } from "../../command.ts";
import { filePlace, placeIn } from "../../connecting/database-place.ts";
import { databaseWorkedOn, findDestination } from "../../connecting/destination.ts";
import { exit, usageError } from "../../exit.ts";
import { checkDigestPlace, removeDigest, writeDigest } from "../../files/digest-file.ts";
import { NewFile } from "../../files/new-file.ts";
import { ownFiles } from "../../files/protected-files.ts";
import { receive } from "../../files/receive.ts";
import { isForPeople, printOne, type View } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { noteLine } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";
import { reading } from "./doctor/subject.ts";

type BackupReport = Awaited<ReturnType<typeof writeToFile>>;

const view: View<BackupReport> = {
  columns: [
    { name: "file", value: (backup) => backup.file, kind: "key" },
    { name: "from", value: (backup) => backup.from, kind: "key" },
    { name: "size", value: (backup) => formatBytes(backup.sizeBytes) },
    { name: "sha256", value: (backup) => backup.sha256, kind: "key" },
    { name: "schema", value: (backup) => backup.schemaVersion },
    { name: "audit", value: (backup) => auditOf(backup) },
    { name: "audit hash", value: (backup) => backup.auditHead?.hash, kind: "key", wide: true },
  ],
  nameOf: (backup) => backup.file,
};

/** Returns `exit.found` if the copy was kept only because of `--unverified`. */
export async function createBackup(invocation: Invocation): Promise<number> {
  const { io, args, options } = invocation;
  const name = args[0] ?? "";
  const toStdout = name === "-";
  if (toStdout) refuseOnStdout(io, options);
  await chooseDatabase(io, options);
  if (toStdout) return writeToStdout(invocation);
  const database = await databaseWorkedOn(io, options);
  const report = await writeToFile(invocation, resolve(name), database);
  printOne(io, options, report, view);
  if (report.schemaProblem !== null) io.note(`${aboutSchema(report.schemaProblem)}\n`);
  const status = warnOfTrail(io, options, report.auditProblem);
  if (isForPeople(options)) io.note(`\n${aboutKeys(io, database)}`);
  return status;
}

function warnOfTrail(io: Io, options: Options, problem: string | null): number {
  if (problem === null) return exit.done;
  const message =
    `Warning: the audit trail fails verification: ${printableLine(problem)}. The backup has everything else, but ` +
    "`platform restore` refuses it without --unverified; `platform docs audit` says what to do.";
  noteLine(io, options, "AUDIT_NOT_VERIFIED", message);
  return exit.found;
}

/** The default is the database of `serve`. */
async function chooseDatabase(io: Io, options: Options): Promise<void> {
  if (options.dataDir !== undefined && options.server !== undefined) {
    throw usageError("give --server or --data-dir, not both.");
  }
  if (options.dataDir === undefined && (await findDestination(io, options))) return;
  options.db = (await filePlace(io, options, backupNotSupported)).file;
}

/**
 * The audit trail of the copy was verified up to `auditHead`, unless there is an `auditProblem`.
 */
async function writeToFile(invocation: Invocation, file: string, database: string | null) {
  const force = invocation.options.force === true;
  using target = new NewFile(file, force, ownFiles(invocation.io, database));
  const mayRemoveDigest = checkDigestPlace(file, force);
  const client = await invocation.client();
  const received = await download(invocation, client, (piece) => target.write(piece));
  await target.flush();
  const facts = await factsOf(target);
  // If there was none before the copy, a digest belongs to another backup.
  if (mayRemoveDigest) removeDigest(file);
  target.finish();
  await writeDigest(file, received.sha256);
  const auditChain = received.auditProblem === null ? "unbroken" : "broken";
  return { file, from: client.target, ...received, ...facts, auditChain };
}

async function factsOf({ draft }: NewFile) {
  const { openReader } = await import("../../../store/engine/sqlite/file.ts");
  const { readFacts } = await import("../../../store/files/database-facts.ts");
  const { knownSchemaProblem } = await import("../../../store/engine/sqlite/schema-status.ts");
  const { schemaVersion, auditHead } = reading(openReader(draft, 0), readFacts);
  return { schemaVersion, auditHead, schemaProblem: knownSchemaProblem(draft) };
}

function aboutSchema(problem: string): string {
  return (
    `Warning: another program has changed the schema: ${problem}. \`platform restore\` refuses this backup ` +
    "without --unverified; `platform doctor` says what to do."
  );
}

async function writeToStdout(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const client = await invocation.client();
  const received = await download(invocation, client, io.outBytes);
  const { sizeBytes, sha256, auditProblem } = received;
  io.note(`${formatBytes(sizeBytes)} of ${client.target}, sha256 ${sha256}\n`);
  return warnOfTrail(io, invocation.options, auditProblem);
}

function refuseOnStdout(io: Io, { output, force }: Record<string, unknown>): void {
  if (io.isTerminal) {
    throw usageError(
      "a database cannot be printed on a terminal: name a FILE, or use `-` with a pipe.",
    );
  }
  if (output !== undefined) throw usageError("with `-` the report goes to stderr: leave out -o.");
  if (force) throw usageError("--force works only with a FILE; `-` is standard output.");
}

async function download(
  { io, options, signal }: Invocation,
  client: Client,
  take: (piece: Uint8Array) => Promise<void>,
) {
  using progress = startProgress(io, "copying and checking");
  const query = options.unverified === true ? { unverified: true } : {};
  const downloaded = await client.download("backup.create", { query });
  const received = await receive(downloaded, {
    take,
    signal,
    onProgress(done, total) {
      const part = total === undefined ? "" : ` of ${formatBytes(total)}`;
      progress.say(`${formatBytes(done)}${part}`);
    },
  });
  return { ...received, auditProblem: downloaded.headers["audit-problem"] ?? null };
}

function auditOf({ auditHead, auditChain, auditProblem }: BackupReport): string {
  if (auditProblem !== null) return "not verified";
  return auditHead === null ? "no rows" : `${auditChain} up to row ${auditHead.seq}`;
}

function aboutKeys(io: Io, database: string | null): string {
  const keys =
    database === null
      ? "audit.key and session.key (next to the server's database)"
      : keysOf(io, database).join(" and ");
  return (
    `The backup does not contain the keys. Also keep ${keys}, apart from the backup. Without the audit key, ` +
    "no server starts on it; without the session key, everyone must sign in again.\n"
  );
}

function keysOf({ env }: Io, file: string): [audit: string, session: string] {
  const { auditKeyFile, sessionKeyFile } = placeIn(env, { kind: "file", file });
  const isSet = sessionKeyFile === null || env.SESSION_SECRET !== undefined;
  return [auditKeyFile, isSet ? "PLATFORM_SESSION_SECRET" : sessionKeyFile];
}
