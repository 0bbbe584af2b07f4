// Is the folder of the database in order: there, private, with room, and a disk that keeps what it is given?

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { performance } from "node:perf_hooks";
import { formatBytes } from "../../../../lib/bytes.ts";
import {
  type Check,
  type Finding,
  failure,
  ok,
  outOfReach,
  type Patient,
  skipped,
  warning,
} from "./check.ts";

const minFreeBytes = 64 * 1024 * 1024;
/** A flush that takes longer holds up every write of the service. */
const slowFlushMs = 250;
const keyBytes = 32;

export const fileChecks: Check[] = [
  { name: "data folder", doing: "looking at the folder", run: checkFolder },
  { name: "permissions", doing: "looking at the files", run: checkPermissions },
  { name: "disk space", doing: "looking at the disk", run: checkSpace },
  { name: "disk writes", doing: "writing to the disk", run: checkWrites },
  { name: "keys", doing: "looking at the keys", run: checkKeys },
];

async function checkFolder({ place: { folder }, denied }: Patient): Promise<Finding> {
  if (denied !== null)
    return failure(denied, "Run this as that user: sudo -u USER platform doctor.");
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code !== "ENOENT") return failure(`${folder}: ${found.message}`, "Mend that first.");
    return failure(
      `${folder} is not there`,
      "Name it with --data-dir or PLATFORM_DATA_DIR; `platform serve` makes a new one.",
    );
  }
  if (!found.isDirectory()) return failure(`${folder} is no folder`, "Name one with --data-dir.");
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && found.uid !== user) {
    return warning(
      `${folder} belongs to user ${found.uid}, and you are ${user}`,
      "Run this, and the server, as the user that the folder belongs to.",
    );
  }
  return ok(folder);
}

/** Whoever may read them may do everything. */
async function checkPermissions({ place: { folder }, denied }: Patient): Promise<Finding> {
  if (denied !== null) return skipped(outOfReach);
  if (process.platform === "win32") return skipped("Windows keeps them otherwise");
  const names = await readdir(folder).catch(() => null);
  if (names === null) return skipped("there is no folder");
  const open: string[] = [];
  for (const name of names.filter(isOurs)) {
    const mode = (await stat(join(folder, name)).catch(() => null))?.mode ?? 0;
    if ((mode & 0o077) !== 0) open.push(name);
  }
  if (open.length > 0) {
    const files = open.map((name) => join(folder, name)).join(" ");
    return failure(`others may open ${open.join(", ")}`, `chmod 600 ${files}`);
  }
  const foreign = await foreignFiles(folder, names.filter(isOurs));
  if (foreign !== null) return foreign;
  const { mode } = await stat(folder);
  if ((mode & 0o002) !== 0) {
    return failure(`every user of this host may write to ${folder}`, `chmod 700 ${folder}`);
  }
  if ((mode & 0o077) !== 0) {
    return warning(`others may look into ${folder}`, `chmod 700 ${folder}`);
  }
  return ok("for their owner alone");
}

/** They may have been made, or put there, by root. */
async function foreignFiles(folder: string, names: string[]): Promise<Finding | null> {
  const { uid, gid } = await stat(folder);
  const foreign: string[] = [];
  for (const name of names) {
    const owner = (await stat(join(folder, name)).catch(() => null))?.uid ?? uid;
    if (owner !== uid) foreign.push(name);
  }
  if (foreign.length === 0) return null;
  const files = foreign.map((name) => join(folder, name)).join(" ");
  return warning(
    `the folder belongs to user ${uid}, but not ${foreign.join(", ")}`,
    `chown ${uid}:${gid} ${files}`,
  );
}

function isOurs(name: string): boolean {
  return /\.(key|db)$|\.db[-.]/.test(name);
}

async function checkSpace({ place: { folder, file } }: Patient): Promise<Finding> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null) return skipped("there is no folder");
  const free = disk.bavail * disk.bsize;
  const used = (await sizeOf(file)) + (await sizeOf(`${file}-wal`));
  const found = `${formatBytes(free)} free, the database has ${formatBytes(used)}`;
  if (free < minFreeBytes) {
    return failure(found, "Make room: when the disk is full, every change is refused.");
  }
  if (free < used + minFreeBytes) {
    return warning(found, "Make room: a backup takes as much as the database while it is made.");
  }
  return ok(found);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

async function checkWrites({ place: { folder }, denied }: Patient): Promise<Finding> {
  if (denied !== null) return skipped(outOfReach);
  if ((await stat(folder).catch(() => null)) === null) return skipped("there is no folder");
  const probe = join(folder, `.doctor-${randomUUID().slice(0, 8)}`);
  try {
    const handle = await open(probe, "wx", 0o600);
    try {
      await handle.writeFile(Buffer.alloc(4096));
      const began = performance.now();
      await handle.sync();
      const took = Math.round(performance.now() - began);
      if (took <= slowFlushMs) return ok(`a flush takes ${took} ms`);
      return warning(
        `a flush takes ${took} ms`,
        "Put the folder on a local disk that is not so busy: every change waits for a flush.",
      );
    } finally {
      await handle.close();
    }
  } catch (error) {
    return failure(
      `nothing can be written in ${folder}: ${(error as Error).message}`,
      "Give this user the folder, or mend the disk.",
    );
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

async function checkKeys(patient: Patient): Promise<Finding> {
  if (patient.denied !== null) return skipped(outOfReach);
  const { auditKeyFile, sessionKeyFile } = patient.place;
  const facts = await patient.facts();
  const isThere = (await sizeOf(patient.place.file)) > 0;
  const hasHistory = typeof facts === "string" ? isThere : facts.auditHead !== null;
  const audit = await problemOfKey(auditKeyFile);
  if (audit !== null && (hasHistory || audit !== isMissing)) {
    return failure(
      `${basename(auditKeyFile)} ${audit}`,
      "Bring it from where the keys are kept: without it no server starts on this database.",
    );
  }
  const ownSecret = patient.config?.sessionSecret !== undefined;
  const session = ownSecret ? null : await problemOfKey(sessionKeyFile);
  if (session !== null && session !== isMissing) {
    return failure(
      `${basename(sessionKeyFile)} ${session}`,
      "Put the right one there, or remove it.",
    );
  }
  if (!hasHistory) return ok("the first start makes what is missing");
  if (session === isMissing) {
    return warning(
      `${basename(sessionKeyFile)} ${session}`,
      "Bring it, or everybody signs in again: the next start makes a new one.",
    );
  }
  return ok(ownSecret ? "audit.key, and PLATFORM_SESSION_SECRET" : "audit.key and session.key");
}

const isMissing = "is missing";

async function problemOfKey(file: string): Promise<string | null> {
  try {
    await access(file, constants.R_OK);
    const handle = await open(file, "r");
    const text = await handle.readFile("utf8").finally(() => handle.close());
    const { length } = Buffer.from(text.trim(), "base64");
    return length === keyBytes ? null : `does not hold a key of ${keyBytes} bytes`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? isMissing : `cannot be read: ${message}`;
  }
}
