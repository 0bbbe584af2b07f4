// Helpers for tests of files of several users. Without root, `npm test` skips
// these tests, and `npm run test:root` fails.

import { spawnSync } from "node:child_process";
import { lchownSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { projectFolder } from "../../../scripts/build/project.ts";

/** Ids that no user and no group has. */
export const [uid, gid] = [4321, 4322];

const isRoot = process.geteuid?.() === 0;
if (!isRoot && process.env.REQUIRE_ROOT === "1") {
  throw new Error("These tests need root: run them as root.");
}
if (!isRoot) process.stderr.write("SKIPPED because this is not root: all tests in test/root\n");

export const asRoot = test.skipIf(!isRoot);

/**
 * For tests that run commands in this process with the rights of another user, who must be able to
 * read the sources.
 */
export const asRootInProcess = test.skipIf(!isRoot || !canOthersRead(projectFolder));

function canOthersRead(folder: string): boolean {
  if (!isRoot) return false;
  const { status } = spawnSync("/bin/ls", [folder], { uid, gid, cwd: "/", stdio: "ignore" });
  const why = `other users cannot enter ${folder}, but root's tests need a checkout that all can enter`;
  if (status !== 0 && process.env.REQUIRE_ROOT === "1") throw new Error(why);
  if (status !== 0) process.stderr.write(`SKIPPED tests in test/root because ${why}\n`);
  return status === 0;
}

/** Gives the folder and its content to the other user. Links are given away, not their targets. */
export function giveAway(folder: string): void {
  for (const name of ["", ...readdirSync(folder)]) lchownSync(join(folder, name), uid, gid);
}

/** Returns the files of a folder with their owner, mode and content. */
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
