// Starts `platform read-database` as a reader process, and runs the requests in it.
// (docs/decisions/0021-reader-processes.md)

import { spawn } from "node:child_process";
import type {
  ReadRequest,
  ReadResponse,
  StartReader,
} from "../../domain/storage/reader-process.ts";
import { startSelf } from "./child-processes.ts";

export const startReaderChild: StartReader = (file, { onResponse, onEnd }, priority) => {
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
    // A request that cannot be sent is reported by `exit`.
    send: (request) => void child.send(request, () => undefined),
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
