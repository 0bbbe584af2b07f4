import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, open, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { formatBytes } from "../../../../lib/bytes.ts";
import { shellWord } from "../../../../lib/shell-word.ts";
import { type Check, type Finding, failure, ok, skipped, warning } from "./check.ts";
import type { FileSubject } from "./subject.ts";

const minFreeBytes = 64 * 1024 * 1024;
/** A longer flush delays every write of the service. */
const slowFlushMs = 250;
const keyBytes = 32;

export const fileChecks: Check<FileSubject>[] = [
  { name: "data folder", doing: "checking the folder", run: checkFolder },
  { name: "permissions", doing: "checking the files", run: checkPermissions },
  { name: "disk space", doing: "checking the disk", run: checkSpace },
  { name: "disk writes", doing: "writing to the disk", needsAccess: true, run: checkWrites },
  { name: "keys", doing: "checking the keys", needsAccess: true, run: checkKeys },
];

async function checkFolder({ place: { folder }, denied }: FileSubject): Promise<Finding> {
  if (denied !== null) {
    return failure(
      denied,
      "Run this command as the owner of the folder (sudo -u USER platform doctor), who must also own the files in it.",
    );
  }
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code !== "ENOENT") return failure(`${folder}: ${found.message}`, "Fix this first.");
    return failure(
      `${folder} does not exist`,
      "Give the folder with --data-dir or PLATFORM_DATA_DIR; `platform serve` creates a new one.",
    );
  }
  if (!found.isDirectory())
    return failure(`${folder} is not a folder`, "Give a folder with --data-dir.");
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && found.uid !== user) {
    return warning(
      `${folder} belongs to UID ${found.uid}, but you are UID ${user}`,
      "Run this command and the server as the owner of the folder.",
    );
  }
  return ok(folder);
}

/** What follows the database's name, which need not end with `.db`, in the names of our files. */
const besideDatabase =
  /^($|-(wal|shm|journal)$|\.(audit-head|lock|server|restoring|moving|before-))/;

async function checkPermissions({ place }: FileSubject): Promise<Finding> {
  const { folder } = place;
  const names = await readdir(folder).catch(() => null);
  if (names === null) return skipped("the folder cannot be read");
  const database = basename(place.file);
  const isOurs = (name: string) =>
    /\.(key|db)$|\.db[-.]/.test(name) ||
    (name.startsWith(database) && besideDatabase.test(name.slice(database.length)));
  const ours = names.filter(isOurs).map((name) => join(folder, name));
  const keys = [place.auditKeyFile, place.sessionKeyFile];
  const open = await openToOthers([...ours, ...keys.filter((key) => dirname(key) === folder)]);
  if (open !== null) return open;
  const { mode, uid, gid } = await stat(folder);
  // Root may have created files that do not belong to the folder's owner.
  const foreign = await filesWith((found) => found.uid !== uid, ours);
  if (foreign.length > 0) {
    return warning(
      `the folder belongs to UID ${uid}, but these do not: ${namesOf(foreign)}`,
      `chown ${uid}:${gid} ${wordsOf(foreign)}`,
    );
  }
  if ((mode & 0o002) !== 0) {
    return failure(
      `every user of this host can write to ${folder}`,
      `chmod 700 ${shellWord(folder)}`,
    );
  }
  if ((mode & 0o077) !== 0) {
    return warning(`others can list ${folder}`, `chmod 700 ${shellWord(folder)}`);
  }
  const openKey = await openKeys(keys.filter((key) => dirname(key) !== folder));
  return openKey ?? ok("only the owner can open the files");
}

/** Anyone who can read the files can administer the service. Returns null if nobody else can. */
async function openToOthers(files: readonly string[]): Promise<Finding | null> {
  if (process.platform === "win32") return skipped("not checked on Windows");
  const open = await filesWith(({ mode }) => (mode & 0o077) !== 0, files);
  if (open.length === 0) return null;
  return failure(`others can open ${namesOf(open)}`, `chmod 600 ${wordsOf(open)}`);
}

/**
 * Keys outside the data folder can belong to another user, such as root in a container. The server
 * may then read them as a member of their group. Returns null if nobody else can open them.
 */
export async function openKeys(keys: readonly string[]): Promise<Finding | null> {
  if (process.platform === "win32") return skipped("not checked on Windows");
  const open = await filesWith(({ mode }) => (mode & 0o027) !== 0, keys);
  if (open.length === 0) return null;
  return warning(
    `others can open ${open.join(", ")}`,
    "Let only the server's user read the keys (mode 0400), or the user's group (0440). In a container, set the " +
      "mode of the mounted secret.",
  );
}

/** Ignores files that do not exist. */
async function filesWith(has: (found: Stats) => boolean, paths: readonly string[]) {
  const files = [...new Set(paths)];
  const isFound = async (file: string) => {
    const found = await stat(file).catch(() => null);
    return found !== null && has(found);
  };
  const kept = await Promise.all(files.map(isFound));
  return files.filter((_, at) => kept[at]);
}

function namesOf(files: readonly string[]): string {
  return files.map((file) => basename(file)).join(", ");
}

function wordsOf(paths: readonly string[]): string {
  return paths.map(shellWord).join(" ");
}

async function checkSpace({ place: { folder, file } }: FileSubject): Promise<Finding> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null) return skipped("the folder does not exist");
  const free = disk.bavail * disk.bsize;
  const used = (await sizeOf(file)) + (await sizeOf(`${file}-wal`));
  const found = `${formatBytes(free)} free; the database uses ${formatBytes(used)}`;
  if (free < minFreeBytes) {
    return failure(`${found}; at least ${formatBytes(minFreeBytes)} must be free`, freeSpace);
  }
  const enough = used + minFreeBytes;
  if (free < enough) {
    return warning(
      `${found}; at least ${formatBytes(enough)} should be free`,
      "Free some space: a backup temporarily needs as much as the database.",
    );
  }
  return ok(found);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

const makeOwner = "Make this user the owner of the folder.";
const freeSpace = "Free some space: when the disk is full, the server refuses every change.";
const repairIt = "See the kernel's log, and repair or replace the disk.";
/** Advice by the code of the error that writing a file caused. */
const writeAdvice: Record<string, string> = {
  EACCES: makeOwner,
  EPERM: makeOwner,
  ENOSPC: freeSpace,
  EDQUOT: "Raise the quota of this user, or free some space.",
  EROFS: "The file system is read-only: see the kernel's log, and mount it for writing.",
};

export function adviceOnWriting(code: string): string {
  return writeAdvice[code] ?? repairIt;
}

async function checkWrites({ place: { folder } }: FileSubject): Promise<Finding> {
  if ((await stat(folder).catch(() => null)) === null) return skipped("the folder does not exist");
  const probe = join(folder, `.doctor-${randomUUID().slice(0, 8)}`);
  try {
    await using handle = await open(probe, "wx", 0o600);
    await handle.writeFile(Buffer.alloc(4096));
    const began = performance.now();
    await handle.sync();
    const took = Math.round(performance.now() - began);
    if (took <= slowFlushMs) return ok(`a flush takes ${took} ms`);
    return warning(
      `a flush takes ${took} ms`,
      "Move the folder to a less busy local disk, because every change waits for a flush.",
    );
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    return failure(`${folder} is not writable: ${message}`, adviceOnWriting(code));
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

async function checkKeys(subject: FileSubject): Promise<Finding> {
  const { auditKeyFile, sessionKeyFile } = subject.place;
  const facts = await subject.facts();
  const exists = (await sizeOf(subject.place.file)) > 0;
  const hasHistory = typeof facts === "string" ? exists : facts.auditHead !== null;
  const audit = await problemOfKey(auditKeyFile);
  if (audit !== null && (hasHistory || audit !== isMissing)) {
    return failure(
      `${basename(auditKeyFile)} ${audit}`,
      "Restore it from your copy of the keys: without it, no server starts on this database.",
    );
  }
  const ownSecret = subject.config?.sessionSecret !== undefined;
  const session = ownSecret ? null : await problemOfKey(sessionKeyFile);
  if (session !== null && session !== isMissing) {
    return failure(
      `${basename(sessionKeyFile)} ${session}`,
      "Replace it with the right key, or remove it.",
    );
  }
  if (!hasHistory) return ok("the first start creates missing keys");
  if (session === isMissing) {
    return warning(
      `${basename(sessionKeyFile)} ${session}`,
      "Restore it. Otherwise the next start creates a new one, and everyone must sign in again.",
    );
  }
  return ok(ownSecret ? "audit.key, and PLATFORM_SESSION_SECRET" : "audit.key and session.key");
}

const isMissing = "is missing";

async function problemOfKey(file: string): Promise<string | null> {
  try {
    await access(file, constants.R_OK);
    const { length } = Buffer.from((await readFile(file, "utf8")).trim(), "base64");
    return length === keyBytes ? null : `does not hold a key of ${keyBytes} bytes`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? isMissing : `cannot be read: ${message}`;
  }
}
