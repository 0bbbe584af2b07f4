// Starts `platform read-database` as a reader process, and answers requests in it.
// (docs/decisions/0021-reader-processes.md)

import { spawn } from "node:child_process";
import type {
  ReadRequest,
  ReadResponse,
  StartReader,
} from "../../domain/storage/reader-process.ts";
import { actingUser, asOperator } from "../../lib/files/acting-user.ts";
import { selfCommand } from "../self.ts";

export const startReaderChild: StartReader = (file, { onResponse, onEnd }) => {
  const [command, ...args] = selfCommand("platform", ["read-database", `--file=${file}`]);
  // Drops root permanently, not only the effective user.
  const user = actingUser() ?? {};
  const child = asOperator(() =>
    spawn(command, args, {
      ...user,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      windowsHide: true,
    }),
  );
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.on("message", (response) => onResponse(response as ReadResponse));
  child.once("error", (error) => onEnd(error));
  child.once("exit", (status, signal) => {
    process.off("exit", kill);
    onEnd(new Error(`platform read-database ended with ${status ?? signal}`));
  });
  // The server's other handles keep it running.
  child.unref();
  child.channel?.unref();
  return {
    // A request that cannot be sent is reported by `exit`.
    send: (request) => void child.send(request, () => undefined),
    kill,
  };
};

/** Answers the requests of the process that started this one, until that process ends. */
export async function answerReads(file: string): Promise<void> {
  const { openReaderProcess } = await import("../../store/engine/reader-process.ts");
  const answer = openReaderProcess(file);
  process.on("message", (request) => void process.send?.(answer(request as ReadRequest)));
  await new Promise((resolve) => process.once("disconnect", resolve));
}
