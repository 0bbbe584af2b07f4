// Runs programs for Linux on ARM on another processor, with QEMU. The kernel knows the emulator
// only inside a namespace, so nothing changes outside. Programs inside can also start ARM programs.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packagedFor, whyNotTested } from "./packaged.ts";
import type { Furniture } from "./sealed-room.ts";

/** Where Debian and Ubuntu install libraries for other processors. */
const libraries = "/usr/aarch64-linux-gnu";

const find = "command -v qemu-aarch64 || command -v qemu-aarch64-static";

/** The beginning of every ELF file for ARM, and which of its bits count. */
const magic = String.raw`\x7fELF\x02\x01\x01${zeros(9)}\x02\x00\xb7\x00`;
const mask = String.raw`${ones(7)}\x00${ones(8)}\xfe${ones(3)}`;

export const emulator: Furniture = {
  prepare: `
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
printf %s ":arm64:M::${magic}:${mask}:$(${find}):" > /proc/sys/fs/binfmt_misc/register`,
  env: { QEMU_LD_PREFIX: libraries },
};

export const armFile = packagedFor("linux-arm64");

/** Returns why the packaged file for ARM cannot be tested here, or null if it can. */
export function whyNotEmulated(): string | null {
  const reason = whyNotTested();
  if (reason !== null) return reason;
  if (!existsSync(armFile)) return "npm run package has not made one: it needs --nodes";
  if (!succeeds("sh", "-c", find)) return "qemu-aarch64 is not installed";
  if (!existsSync(join(libraries, "lib/libstdc++.so.6"))) {
    return "libc6-arm64-cross and libstdc++6-arm64-cross are not installed";
  }
  if (succeeds("unshare", "-rnm", "sh", "-ec", emulator.prepare)) return null;
  return "this kernel has no binfmt_misc for namespaces, as Linux 6.7 has";
}

function succeeds(program: string, ...words: string[]): boolean {
  return spawnSync(program, words).status === 0;
}

function zeros(count: number): string {
  return "\\x00".repeat(count);
}

function ones(count: number): string {
  return "\\xff".repeat(count);
}
