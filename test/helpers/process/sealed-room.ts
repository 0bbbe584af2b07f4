// An isolated environment, made with Linux namespaces, for programs that must work with almost
// nothing: no network but loopback, no environment variables, an empty home, and restricted
// folders.

import { spawnSync } from "node:child_process";
import { userInfo } from "node:os";
import { openNamespace } from "./namespace.ts";

export interface SealedRoom {
  readOnly: string;
  noExec: string;
  /** Returns the command that runs `words` inside, in this folder, with only these variables. */
  command(cwd: string, words: string[], env?: Record<string, string>): [string, ...string[]];
  close(): Promise<void>;
}

/** Inside, the user's home is empty, and everything written to it is lost afterwards. */
const furnish = `
ip link set lo up
mount -t tmpfs none "$1"
mount -t tmpfs -o ro none "$2"
mount -t tmpfs -o noexec,mode=1777 none "$3"`;

export function hasSealedRooms(): boolean {
  return spawnSync("unshare", ["-rnm", "ip", "link", "set", "lo", "up"]).status === 0;
}

export interface Furniture {
  /** A shell script that also prepares the room. */
  prepare: string;
  /** Variables that all programs inside get. */
  env: Record<string, string>;
}

/** Opens the room. The two folders must exist and be empty. */
export async function openSealedRoom(
  readOnly: string,
  noExec: string,
  also: Furniture = { prepare: "", env: {} },
): Promise<SealedRoom> {
  const prepare = `${furnish}\n${also.prepare}`;
  const namespace = await openNamespace("rnm", prepare, userInfo().homedir, readOnly, noExec);
  if (!namespace) throw new Error("the sealed room cannot be set up");
  return {
    readOnly,
    noExec,
    command(cwd, program, env = {}) {
      const variables = Object.entries({ ...also.env, ...env }).map(
        ([name, value]) => `${name}=${value}`,
      );
      const inside = ["sh", "-c", 'cd "$0" && exec env -i "$@"', cwd, ...variables, ...program];
      return [...namespace.enter, ...inside];
    },
    close: namespace.close,
  };
}
