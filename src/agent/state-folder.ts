// The folder an agent keeps its token and journal in, and the lock that gives it to one running
// agent: two at once would tell the server different things about what is in hand, and a command
// could run in both. The lock is a listening local socket, which ends with its process however that
// ends; nothing ever connects to it but the test whether somebody is there.

import { createHash } from "node:crypto";
import { realpath, rm } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../lib/make-folder.ts";
import { AgentError, messageOf } from "./errors.ts";

export interface StateFolder {
  tokenFile: string;
  journalFile: string;
  /** Lets the next agent have the folder. */
  release(): Promise<void>;
}

/**
 * Makes the folder when it is not there (mode 0700; one that exists keeps its mode) and takes it.
 * Throws AgentError STATE_IN_USE or STATE_UNUSABLE.
 */
export async function takeStateFolder(folder: string): Promise<StateFolder> {
  let path: string;
  try {
    makeFolder(folder, 0o700);
    path = await realpath(folder);
  } catch (error) {
    throw new AgentError("STATE_UNUSABLE", `Cannot use ${folder}: ${messageOf(error)}.`, error);
  }
  const lock = await listen(lockAddress(path), folder);
  return {
    tokenFile: join(path, "token.json"),
    journalFile: join(path, "journal.jsonl"),
    release: () => new Promise((resolve) => lock.close(() => resolve())),
  };
}

/** Linux and Windows have names that are no files: nothing is left behind. Elsewhere it is one. */
function lockAddress(folder: string): string {
  const name = `platform-agent-${createHash("sha256").update(folder).digest("hex").slice(0, 40)}`;
  if (process.platform === "linux") return `\0${name}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

async function listen(address: string, folder: string): Promise<Server> {
  try {
    return await tryListen(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") {
      throw new AgentError("STATE_UNUSABLE", `Cannot lock ${folder}: ${messageOf(error)}.`, error);
    }
  }
  if (address.startsWith("/") && !(await answers(address))) {
    await rm(address, { force: true });
    return tryListen(address);
  }
  throw new AgentError("STATE_IN_USE", `Another agent is running with ${folder}.`);
}

function tryListen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen({ path: address, exclusive: true }, () => resolve(server.unref()));
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address, () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
