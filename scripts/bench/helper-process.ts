// Child processes that talk over IPC and end with this process.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Helper<Question, Message> {
  pid: number;
  send(question: Question): void;
  /** The next message. Rejects if the process ends first. */
  message(): Promise<Message>;
  stop(): Promise<void>;
}

/** Starts a script in this folder. */
export function startHelper<Question extends object, Message>(
  file: string,
  signal: AbortSignal,
): Helper<Question, Message> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { signal });
  return {
    pid: child.pid as number,
    send: (question) => void child.send(question),
    message: messagesOf<Message>(child, file),
    stop: () => stopChild(child),
  };
}

/** Returns a function that waits for the next message, and rejects if the process ends first. */
export function messagesOf<Message>(child: ChildProcess, name: string): () => Promise<Message> {
  child.on("error", () => {}); // an abort also ends the process
  const ended = once(child, "exit").then(() => {
    throw new Error(`${name} ended before its work was done.`);
  });
  ended.catch(() => {}); // only waiting for a message throws the error
  const arrived: Message[] = [];
  let wake = () => {};
  child.on("message", (message) => {
    arrived.push(message as Message);
    wake();
  });
  return async () => {
    while (arrived.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await Promise.race([promise, ended]);
    }
    return arrived.shift() as Message;
  };
}

/** Sends SIGTERM, then SIGKILL after five seconds. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
  child.kill();
  await once(child, "exit");
  clearTimeout(timer);
}
