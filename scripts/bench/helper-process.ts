// Starts a script of this folder as a child process, which talks over IPC and ends with its parent.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { stopChild } from "./server-process.ts";

export interface Helper<Question, Message> {
  pid: number;
  send(question: Question): void;
  /** The next message. Rejects if the process ends first. */
  message(): Promise<Message>;
  stop(): Promise<void>;
}

export function startHelper<Question extends object, Message>(
  file: string,
  signal: AbortSignal,
): Helper<Question, Message> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), { signal });
  child.on("error", () => {}); // an abort rejects the promises below instead
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended before its work was done.`);
  });
  ended.catch(() => {}); // only waiting for a message throws the error
  const arrived: Message[] = [];
  let wake = () => {};
  child.on("message", (message) => {
    arrived.push(message as Message);
    wake();
  });
  return {
    pid: child.pid as number,
    send: (question) => void child.send(question),
    async message() {
      while (arrived.length === 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await Promise.race([promise, ended]);
      }
      return arrived.shift() as Message;
    },
    stop: () => stopChild(child),
  };
}
