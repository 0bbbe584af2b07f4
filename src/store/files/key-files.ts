// Keys that live beside the database, not in it: made once, readable by their owner alone.

import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../domain/errors.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { requireOwnFolder } from "./ownership.ts";

const keyBytes = 32;

/** The key in this file, which must be there. Throws AppError UNAVAILABLE that says what to do. */
export function loadKey(file: string): Buffer {
  const key = readKey(file);
  if (key) return key;
  throw unusable(file, "it is missing: bring it along with the database that it belongs to");
}

/**
 * The key in this file; made from `fillRandom` when the file is not there (mode 0600).
 */
export function loadOrCreateKey(file: string, fillRandom: (bytes: Uint8Array) => void): Buffer {
  const existing = readKey(file);
  if (existing) return existing;
  const [key, suffix] = [Buffer.alloc(keyBytes), Buffer.alloc(6)];
  for (const bytes of [key, suffix]) fillRandom(bytes);
  // A name that nobody can know before; and never one that exists, such as a link.
  const draft = `${file}.${suffix.toString("hex")}.new`;
  try {
    makeFolder(dirname(file), 0o700);
    requireOwnFolder(file);
    const descriptor = openSync(draft, "wx", 0o600);
    writeSync(descriptor, `${key.toString("base64")}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    // Whole or not at all; and never over a key that is there.
    linkSync(draft, file);
    return key;
  } catch (error) {
    // Another process was faster: its key counts.
    const theirs = (error as NodeJS.ErrnoException).code === "EEXIST" ? readKey(file) : null;
    if (theirs) return theirs;
    throw unusable(file, (error as Error).message, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw unusable(file, (error as Error).message, error);
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== keyBytes) throw unusable(file, "it does not hold a key of 32 bytes");
  return key;
}

function unusable(file: string, reason: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", `Cannot use the key file ${file}: ${reason}.`, { cause });
}
