// Starts `platform read-database` as a reader process, and runs the requests in it.
// (docs/decisions/0021-reader-processes.md)

import { spawn } from "node:child_process";
import type {
  ReadRequest,
  ReadResponse,
  StartReader,
} from "../../domain/storage/reader-process.ts";
import { startSelf } from "./child-processes.ts";

export const startReaderChild: StartReader = (file, events, priority) => {
  try {
    return start(file, events, priority);
  } catch (error) {
    // With some errors, such as ENOMEM, Node.js throws instead of reporting them through the child.
    queueMicrotask(() => events.onEnd(error as Error));
    return { send: () => undefined, kill: () => undefined };
  }
};

const start: StartReader = (file, { onResponse, onEnd }, priority) => {
  const child = startSelf(
    ["read-database", `--file=${file}`],
    (command, args, options) =>
      spawn(command, args, {
        ...options,
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        serialization: "advanced",
      }),
    priority,
  );
  child.on("message", (response) => onResponse(response as ReadResponse));
  child.once("error", onEnd);
  child.once("exit", (status, signal) => {
    onEnd(new Error(`platform read-database ended with ${status ?? signal}`));
  });
  // This child alone must not keep the server running.
  child.unref();
  child.channel?.unref();
  return {
    // A request that cannot be sent is reported by `error` or `exit`. If too many files are open,
    // the child has no method `send`.
    send(request) {
      if (child.connected) child.send(request, () => undefined);
    },
    kill: () => void child.kill("SIGKILL"),
  };
};

/** Responds to the requests of the process that started this one, until that process ends. */
export async function answerReads(file: string): Promise<void> {
  const { openReaderProcess } = await import("../../store/engine/sqlite/reader-process.ts");
  const answer = openReaderProcess(file);
  process.on("message", (request) => void process.send?.(answer(request as ReadRequest)));
  await new Promise((resolve) => process.once("disconnect", resolve));
}
