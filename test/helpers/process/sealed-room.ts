// A place for programs that must need nothing: only loopback as the network, no environment, no home, and
// unusual folders. It is made of Linux namespaces, if users are allowed to have them.

import { spawnSync } from "node:child_process";
import { userInfo } from "node:os";
import { openNamespace } from "./namespace.ts";

export interface SealedRoom {
  /** Nothing can be written there. */
  readOnly: string;
  /** Nothing can be run from there. */
  noExec: string;
  /** The command that runs this inside, in that folder, with only these variables. */
  command(cwd: string, words: string[], env?: Record<string, string>): [string, ...string[]];
  close(): Promise<void>;
}

/** The user's home is empty there, and what is written to it is lost afterwards. */
const furnish = `
ip link set lo up
mount -t tmpfs none "$1"
mount -t tmpfs -o ro none "$2"
mount -t tmpfs -o noexec,mode=1777 none "$3"`;

export function hasSealedRooms(): boolean {
  return spawnSync("unshare", ["-rnm", "ip", "link", "set", "lo", "up"]).status === 0;
}

/** The two folders must exist and be empty. */
export async function openSealedRoom(readOnly: string, noExec: string): Promise<SealedRoom> {
  const namespace = await openNamespace("rnm", furnish, userInfo().homedir, readOnly, noExec);
  if (!namespace) throw new Error("the sealed room cannot be furnished");
  return {
    readOnly,
    noExec,
    command(cwd, program, env = {}) {
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const inside = ["sh", "-c", 'cd "$0" && exec env -i "$@"', cwd, ...variables, ...program];
      return [...namespace.enter, ...inside];
    },
    close: namespace.close,
  };
}
