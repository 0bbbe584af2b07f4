// Tests of what root does in a data folder of another user. They need root, and run in `npm test` where that is
// who runs it; `npm run test:root` runs them alone, and fails for anybody else. Nobody has these numbers.

import { lchownSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

export const [uid, gid] = [4321, 4322];

const isRoot = process.geteuid?.() === 0;
if (!isRoot && process.env.REQUIRE_ROOT === "1") {
  throw new Error("These tests need root: run them as root.");
}
if (!isRoot) process.stderr.write("SKIPPED, for this is not root: all tests of test/root\n");

export const asRoot = test.skipIf(!isRoot);

/** The folder and what lies in it, links themselves too. */
export function giveAway(folder: string): void {
  for (const name of ["", ...readdirSync(folder)]) lchownSync(join(folder, name), uid, gid);
}

/** What lies in a folder: who owns it, its mode, and what is in it. */
export function snapshot(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path);
      const content = stats.isSymbolicLink()
        ? readlinkSync(path)
        : stats.isFile()
          ? readFileSync(path).toString("base64")
          : "";
      return [name, `${stats.uid}:${stats.gid} ${stats.mode.toString(8)} ${content}`];
    }),
  );
}
