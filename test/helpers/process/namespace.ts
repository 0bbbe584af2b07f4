// A Linux namespace in which a script has mounted something or the like, for programs that must see it.

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Namespace {
  /** The words before a command that runs inside. */
  enter: readonly [string, ...string[]];
  /** The path by which this process finds a path of the namespace. */
  outside(path: string): string;
  close(): Promise<void>;
}

/** `flags` are those of unshare; `prepare` is a shell script. Null if that is not permitted. */
export async function openNamespace(
  flags: string,
  prepare: string,
  ...args: string[]
): Promise<Namespace | null> {
  const script = `${prepare}\necho ready\nexec sleep 3600`;
  const words = [`-${flags}`, "sh", "-ec", script, "sh", ...args];
  const holder = spawn("unshare", words, { stdio: ["ignore", "pipe", "inherit"] });
  const killNow = () => void holder.kill("SIGKILL");
  process.once("exit", killNow);
  const ended = once(holder, "close");
  await Promise.race([once(holder.stdout, "data"), ended]);
  if (holder.exitCode !== null) return null;
  const joined = [...flags].map((flag) => `-${flag === "r" ? "U" : flag}`);
  const asUser = flags.includes("r") ? ["--preserve-credentials"] : [];
  return {
    enter: ["nsenter", "-t", String(holder.pid), ...joined, ...asUser],
    outside: (path) => `/proc/${holder.pid}/root${path}`,
    async close() {
      killNow();
      await ended;
      process.off("exit", killNow);
    },
  };
}
