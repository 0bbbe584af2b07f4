// A place for programs that must need nothing: no network but loopback, no environment, no home, and folders
// of unpleasant kinds. It is made of Linux namespaces, where a user may have them.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { userInfo } from "node:os";

export interface SealedRoom {
  /** Nothing can be written there. */
  readOnly: string;
  /** Nothing can be run from there. */
  noExec: string;
  /** What to start to run this in there, in that folder, with these variables alone. */
  command(cwd: string, words: string[], env?: Record<string, string>): [string, ...string[]];
  close(): Promise<void>;
}

/** The home of this user is empty there, and what is written to it is gone afterwards. */
const furnish = `
ip link set lo up
mount -t tmpfs none "$1"
mount -t tmpfs -o ro none "$2"
mount -t tmpfs -o noexec,mode=1777 none "$3"
echo ready
exec sleep 3600
`;

export function hasSealedRooms(): boolean {
  return spawnSync("unshare", ["-rnm", "ip", "link", "set", "lo", "up"]).status === 0;
}

/** The two folders are there, and empty. */
export async function openSealedRoom(readOnly: string, noExec: string): Promise<SealedRoom> {
  const { homedir } = userInfo();
  const words = ["-rnm", "sh", "-ec", furnish, "sh", homedir, readOnly, noExec];
  const holder = spawn("unshare", words, { stdio: ["ignore", "pipe", "inherit"] });
  const killNow = () => void holder.kill("SIGKILL");
  process.once("exit", killNow);
  const ended = once(holder, "close");
  await Promise.race([once(holder.stdout, "data"), ended]);
  if (holder.exitCode !== null) throw new Error("the sealed room cannot be furnished");
  const enter = ["-t", String(holder.pid), "-U", "-n", "-m", "--preserve-credentials"];
  return {
    readOnly,
    noExec,
    command(cwd, program, env = {}) {
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const inside = ["sh", "-c", 'cd "$0" && exec env -i "$@"', cwd, ...variables, ...program];
      return ["nsenter", ...enter, ...inside];
    },
    async close() {
      killNow();
      await ended;
      process.off("exit", killNow);
    },
  };
}
