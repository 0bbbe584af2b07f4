// Reads the key files of a database, and creates those of an SQLite file. Only their owner can read
// them.

import { createHmac, type KeyObject } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../domain/errors.ts";
import type { Place } from "../../domain/storage/place.ts";
import { flushFolderSync } from "../../lib/files/flush-folder.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import type { FillRandom } from "../../lib/random.ts";
import { requireOwnFolder } from "./ownership.ts";

const keyBytes = 32;

/**
 * Reads the audit key. A missing key is created only for an SQLite database without a history.
 * Throws AppError UNAVAILABLE.
 */
export function auditKeyOf(place: Place, hasHistory: boolean, fillRandom: FillRandom): Buffer {
  const { kind, auditKeyFile: file } = place;
  if (kind === "postgresql") return loadSharedKey(file);
  return hasHistory ? loadKey(file) : loadOrCreateKey(file, fillRandom);
}

/**
 * Reads the session key, and creates it for any SQLite database that lacks one. Throws AppError
 * UNAVAILABLE.
 */
export function sessionKeyOf(place: Place, fillRandom: FillRandom): Buffer {
  if (place.kind === "file") return loadOrCreateKey(place.sessionKeyFile, fillRandom);
  if (place.sessionKeyFile === null) throw new Error("the configuration names no session key");
  return loadSharedKey(place.sessionKeyFile);
}

/** A public name for the installation that has this audit key. It reveals nothing about the key. */
export function installationIdOf(auditKey: KeyObject | Buffer): string {
  return createHmac("sha256", auditKey).update("installation").digest("hex").slice(0, 16);
}

/** Throws AppError UNAVAILABLE if the key is missing or invalid. */
export function loadKey(file: string): Buffer {
  return requireKey(file, "copy it from where the database came from");
}

/** Like `loadKey`, but for a key that several servers share and that none of them may create. */
export function loadSharedKey(file: string): Buffer {
  return requireKey(
    file,
    "copy it from another server of this database, or for a new database create it: " +
      "(umask 077; openssl rand -base64 32 > FILE)",
  );
}

function requireKey(file: string, advice: string): Buffer {
  const key = readKey(file);
  if (key) return key;
  throw unusable(file, `it is missing: ${advice}`);
}

/** Throws AppError UNAVAILABLE if the key is invalid, or cannot be created or flushed. */
export function loadOrCreateKey(file: string, fillRandom: FillRandom): Buffer {
  const key = readKey(file) ?? createKey(file, newKey(fillRandom), fillRandom);
  flushKey(file);
  return key;
}

function newKey(fillRandom: FillRandom): Buffer {
  const key = Buffer.alloc(keyBytes);
  fillRandom(key);
  return key;
}

/**
 * Writes a copy of a key, unless the file already has it, but does not flush its name. Returns
 * whether it was written. Throws AppError UNAVAILABLE if the file has another key.
 */
export function copyKey(file: string, key: Buffer, fillRandom: FillRandom): boolean {
  const isNew = readKey(file) === null;
  const found = isNew ? createKey(file, key, fillRandom) : readKey(file);
  if (found?.equals(key)) return isNew;
  throw unusable(file, "it contains another key: move it away, or choose another folder");
}

/** Throws AppError UNAVAILABLE if the file has another key. */
export function refuseOtherKey(file: string, key: Buffer): void {
  if (readKey(file) !== null) copyKey(file, key, () => undefined);
}

/** If another process created the file at the same time, returns the key of that process. */
function createKey(file: string, key: Buffer, fillRandom: FillRandom): Buffer {
  const suffix = Buffer.alloc(6);
  fillRandom(suffix);
  // Other users cannot predict this name, so they cannot prepare a link with it.
  const draft = `${file}.${suffix.toString("hex")}.new`;
  try {
    makeFolder(dirname(file), 0o700);
    requireOwnFolder(file);
    const descriptor = openSync(draft, "wx", 0o600);
    writeSync(descriptor, `${key.toString("base64")}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    // Linking is atomic and never replaces an existing key.
    linkSync(draft, file);
    return key;
  } catch (error) {
    // Another process created the file first, so its key is used.
    const theirs = (error as NodeJS.ErrnoException).code === "EEXIST" ? readKey(file) : null;
    if (theirs) return theirs;
    throw unusable(file, (error as Error).message, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Nobody may use a key that a power failure can still remove, even if another process created it.
 * Throws AppError UNAVAILABLE. The file stays, because another process may already use it.
 */
export function flushKey(file: string): void {
  try {
    flushFolderSync(dirname(file));
  } catch (error) {
    throw unusable(file, (error as Error).message, error);
  }
}

function readKey(file: string): Buffer | null {
  let text: string | null;
  try {
    text = readTextOrNullSync(file);
  } catch (error) {
    throw unusable(file, (error as Error).message, error);
  }
  if (text === null) return null;
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== keyBytes) throw unusable(file, "it does not contain a key of 32 bytes");
  return key;
}

function unusable(file: string, reason: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", `Cannot use the key file ${file}: ${reason}.`, { cause });
}
