// Creates and reads the key files beside a database, which only their owner can read.

import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../domain/errors.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { requireOwnFolder } from "./ownership.ts";

const keyBytes = 32;

/** Throws AppError UNAVAILABLE if the key is missing or invalid. */
export function loadKey(file: string): Buffer {
  return requireKey(file, "copy it from where the database came from");
}

/** Does the same for a key that several servers share, and that none of them may create. */
export function loadSharedKey(file: string): Buffer {
  return requireKey(
    file,
    "copy it from another server of this database, or for a new database create it: " +
      "openssl rand -base64 32 > FILE",
  );
}

function requireKey(file: string, advice: string): Buffer {
  const key = readKey(file);
  if (key) return key;
  throw unusable(file, `it is missing: ${advice}`);
}

/** Throws AppError UNAVAILABLE if the key is invalid or cannot be created. */
export function loadOrCreateKey(file: string, fillRandom: (bytes: Uint8Array) => void): Buffer {
  const existing = readKey(file);
  if (existing) return existing;
  const [key, suffix] = [Buffer.alloc(keyBytes), Buffer.alloc(6)];
  for (const bytes of [key, suffix]) fillRandom(bytes);
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
