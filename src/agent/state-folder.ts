// The folder an agent keeps its token and journal in, and the lock that gives it to one running
// agent: two at once would tell the server different things about what is in hand, and a command
// could run in both. The lock is on a file in the folder, so only who may write there can take it, in
// any container that shares it; the kernel lets it go with its process, however that ends. SQLite takes
// it, because Node.js has no file locks of its own; nothing is ever written to the file.

import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeEmptyFile } from "../lib/files/empty-file.ts";
import { makeFolder } from "../lib/files/make-folder.ts";
import { AgentError, messageOf } from "./connection/errors.ts";

export interface StateFolder {
  tokenFile: string;
  journalFile: string;
  /** Lets the next agent have the folder. */
  release(): void;
}

/**
 * Makes the folder when it is not there (mode 0700; one that exists keeps its mode) and takes it.
 * Throws AgentError STATE_IN_USE or STATE_UNUSABLE.
 */
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

/** What SQLite says when another connection has the lock, in this process or another. */
const busy = 5;

function lock(file: string, folder: string): () => void {
  try {
    // Who may read the file could lock it too, and SQLite makes it as the umask has it.
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
      throw new AgentError("STATE_IN_USE", `Another agent is running with ${folder}.`, error);
    }
    throw new AgentError("STATE_UNUSABLE", `Cannot lock ${file}: ${messageOf(error)}.`, error);
  }
}
