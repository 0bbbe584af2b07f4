// The folder is locked, so that two agents cannot run the same command. The lock is SQLite's,
// because Node has no file locks: it works between containers that share the folder, and the kernel
// releases it when the process ends.

import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeEmptyFile } from "../lib/files/empty-file.ts";
import { makeFolder } from "../lib/files/make-folder.ts";
import { AgentError, messageOf } from "./connection/errors.ts";

export interface StateFolder {
  tokenFile: string;
  journalFile: string;
  release(): void;
}

/** Throws AgentError STATE_IN_USE or STATE_UNUSABLE. */
export function takeStateFolder(folder: string): StateFolder {
  const path = resolve(folder);
  try {
    makeFolder(path, 0o700);
  } catch (error) {
    throw new AgentError("STATE_UNUSABLE", `Cannot use ${folder}: ${messageOf(error)}.`, error);
  }
  const release = lock(join(path, "agent.lock"), folder);
  return {
    tokenFile: join(path, "token.json"),
    journalFile: join(path, "journal.jsonl"),
    release,
  };
}

/** SQLITE_BUSY: another connection holds the lock, in this process or another one. */
const busy = 5;

function lock(file: string, folder: string): () => void {
  try {
    // If SQLite made the file, the umask would decide its mode. Whoever can read it can lock it.
    makeEmptyFile(file);
    chmodSync(file, 0o600);
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(file);
    try {
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    } catch (error) {
      database.close();
      throw error;
    }
    return () => database.close();
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) {
      const remedy =
        "Stop that agent first, or give this one a state folder and a code of its own.";
      const message = `Another agent is already using ${folder}. ${remedy}`;
      throw new AgentError("STATE_IN_USE", message, error);
    }
    throw new AgentError("STATE_UNUSABLE", `Cannot lock ${file}: ${messageOf(error)}.`, error);
  }
}
