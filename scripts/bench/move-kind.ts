// Measures `platform db move` with a long history, to PostgreSQL and back, and compares what both
// databases export.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  constants,
  copyFileSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { type BigSize, bigSize, keepsHistory, openBigDatabase } from "./big-database.ts";
import { createDatabase, startPostgres } from "./engine-sides.ts";
import { type Measurement, readingOf } from "./readings.ts";
import { programArguments } from "./subject.ts";

export interface MoveOptions {
  bigDir: string;
  /** Tests use a small database. */
  size?: BigSize;
  signal: AbortSignal;
  progress: (text: string) => void;
}

const moveSize: BigSize = { ...bigSize, auditRows: 1_000_000 };

interface Ran {
  stdout: string;
  ms: number;
  /** The most memory that the process has had; null if the system does not say. */
  peakMb: number | null;
}

export async function measureMove(options: MoveOptions): Promise<Measurement> {
  const { bigDir, size = moveSize, signal, progress } = options;
  const built = await openBigDatabase(join(bigDir, "move"), size, signal, progress);
  const folder = mkdtempSync(join(bigDir, "moving-"));
  const server = await startPostgres(bigDir);
  try {
    const url = await createDatabase(server, "moved");
    const [first, last] = [join(folder, "first"), join(folder, "last")];
    mkdirSync(first, { mode: 0o700 });
    for (const name of ["platform.db", "audit.key", "session.key"]) {
      copyFileSync(join(built, name), join(first, name), constants.COPYFILE_FICLONE);
    }
    const env = {
      PLATFORM_AUDIT_KEY_FILE: join(first, "audit.key"),
      PLATFORM_SESSION_SECRET_FILE: join(first, "session.key"),
      PLATFORM_DATA_DIR: folder,
    };
    const files = { first: join(first, "platform.db"), last: join(last, "platform.db") };
    const run = (what: string, program: Program, words: string[]) => {
      progress(`measuring: ${what}`);
      return runProgram(program, words, env, signal);
    };
    const exported = async (db: string, name: string) => {
      const out = join(folder, name);
      await run(`export of ${name}`, "platformctl", [
        ...["audit", "export", "--db", db, "--format", "jsonl", "--out", out],
      ]);
      return out;
    };
    const before = await exported(files.first, "sqlite.jsonl");
    const there = await run("to PostgreSQL", "platform", move(files.first, url));
    const onServer = await exported(url, "postgresql.jsonl");
    const back = await run("back to SQLite", "platform", move(url, files.last));
    const after = await exported(files.last, "sqlite-again.jsonl");
    progress("comparing");
    const bytes = await requireBeginning(before, onServer);
    await requireBeginning(onServer, after);
    const rows = requireSameRows(files.first, files.last, "commands", "id");
    const { auditVerified } = JSON.parse(back.stdout);
    const peaks = [there, back].map(({ peakMb }) => peakMb ?? Number.NaN);
    return {
      name: "move",
      notes: [
        `${size.commands} commands, ${size.auditRows} audit rows; ${auditVerified} audit rows verified.`,
        `The audit exports are the same (${bytes} bytes), and so are ${rows} commands.`,
      ],
      readings: [
        readingOf("SQLite to PostgreSQL", "ms", [there.ms], null),
        readingOf("PostgreSQL to SQLite", "ms", [back.ms], null),
        readingOf("memory of the first move", "MB", peaks.slice(0, 1), null),
        readingOf("memory of the second move", "MB", peaks.slice(1), null),
      ],
      processors: {},
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function move(from: string, to: string): string[] {
  return ["db", "move", "--from", from, "--to", to, "-o", "json"];
}

type Program = "platform" | "platformctl";

async function runProgram(
  program: Program,
  words: string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<Ran> {
  const started = performance.now();
  const child = spawn(process.execPath, programArguments(program, ...words), {
    env: { ...process.env, ...keepsHistory, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  let peakMb: number | null = null;
  const watch = setInterval(() => {
    peakMb = peakOf(child.pid ?? 0) ?? peakMb;
  }, 200);
  try {
    const [[status], stdout, stderr] = await Promise.all([
      once(child, "close"),
      text(child.stdout),
      text(child.stderr),
    ]);
    if (status !== 0) throw new Error(`${program} ${words.slice(0, 2).join(" ")}: ${stderr}`);
    return { stdout, ms: performance.now() - started, peakMb };
  } finally {
    clearInterval(watch);
  }
}

function peakOf(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

/** Returns the size of the shorter file. Throws unless the longer file begins with it. */
async function requireBeginning(shorter: string, longer: string): Promise<number> {
  const { size } = await stat(shorter);
  const [one, other] = await Promise.all([digestOf(shorter, size), digestOf(longer, size)]);
  if (one !== other) throw new Error(`${longer} does not begin with ${shorter}.`);
  return size;
}

async function digestOf(file: string, size: number): Promise<string> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(file, { end: size - 1 })) digest.update(chunk);
  return digest.digest("hex");
}

function requireSameRows(one: string, other: string, table: string, key: string): number {
  const [first, second] = [one, other].map((file) => rowsOf(file, table, key)) as [Rows, Rows];
  if (first.digest !== second.digest) throw new Error(`The rows of ${table} differ.`);
  return first.count;
}

interface Rows {
  count: number;
  digest: string;
}

function rowsOf(file: string, table: string, key: string): Rows {
  const database = new Database(file, { readonly: true });
  const digest = createHash("sha256");
  let count = 0;
  for (const row of database.prepare(`SELECT * FROM ${table} ORDER BY ${key}`).iterate()) {
    digest.update(`${JSON.stringify(row)}\n`);
    count++;
  }
  database.close();
  return { count, digest: digest.digest("hex") };
}
