// Creates a Linux namespace that a script prepares, for example with a mount, for programs that
// must run in it.

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Namespace {
  /** The words to put before a command so that it runs in the namespace. */
  enter: readonly [string, ...string[]];
  /** Returns the path by which this process can reach a path of the namespace. */
  outside(path: string): string;
  close(): Promise<void>;
}

/**
 * Opens a namespace. `flags` are the flags of unshare, and `prepare` is a shell script. Returns
 * null if namespaces are not permitted.
 */
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
