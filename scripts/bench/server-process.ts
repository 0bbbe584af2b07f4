import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ServerProcess {
  port: number;
  /** The CPU time of the whole process since its start; null if unknown. */
  cpuMicros(): Promise<number | null>;
  stop(): Promise<void>;
}

export async function startBareServer(signal: AbortSignal): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL("bare-server.ts", import.meta.url)), { signal });
  child.on("error", () => {}); // an abort rejects the promises below instead
  const ended = once(child, "exit").then(() => {
    throw new Error("The bare server exited before it was stopped.");
  });
  ended.catch(() => {}); // only waiting for a message throws the error
  const message = async () => (await Promise.race([once(child, "message", { signal }), ended]))[0];
  const { port } = await message();
  return {
    port,
    async cpuMicros() {
      child.send("cpu");
      const { cpu } = await message();
      return cpu.user + cpu.system;
    },
    stop: () => stopChild(child),
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
