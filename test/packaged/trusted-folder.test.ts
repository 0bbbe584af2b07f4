// Only root can create folders that belong to other users.

import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireTrusted } from "../../src/packaged/trusted-folder.ts";
import { temporaryFolder } from "../helpers/app.ts";

const isRoot = process.geteuid?.() === 0;
const somebody = 65533;

type Case = [what: string, make: (base: string) => string];

const trusted: Case[] = [
  ["a folder of this user", (base) => folder(base, 0o700)],
  ["a folder that others can read", (base) => folder(base, 0o755)],
  ["a folder like /tmp", (base) => folder(base, 0o1777)],
  ["a folder that does not exist yet", (base) => join(folder(base, 0o700), "to/be/made")],
  ["a link to a folder of this user", (base) => link(base, folder(base, 0o700))],
];

const open: Case[] = [
  ["a folder that the group can write to", (base) => folder(base, 0o775)],
  ["a folder that all can write to", (base) => folder(base, 0o777)],
  ["a folder inside a folder that all can write to", (base) => folder(folder(base, 0o777), 0o700)],
  ["a folder to be created where all can write", (base) => join(folder(base, 0o777), "to/be/made")],
  [
    "a link to a place where all can write",
    (base) => link(base, folder(folder(base, 0o777), 0o700)),
  ],
  [
    "a link through another link to a place where all can write",
    (base) => {
      const target = folder(base, 0o777);
      for (const name of ["deep", "target"]) mkdirSync(join(target, name));
      mkdirSync(join(base, "target"));
      symlinkSync(join(target, "deep"), join(base, "inner"));
      return link(base, "inner/../target");
    },
  ],
];

const ofOthers: Case[] = [
  ["a folder of another user", (base) => owned(folder(base, 0o755))],
  ["a folder inside another user's folder", (base) => folder(owned(folder(base, 0o755)), 0o700)],
  [
    "another user's folder in a folder like /tmp",
    (base) => owned(folder(folder(base, 0o1777), 0o755)),
  ],
];

test.each(trusted)("trusted: %s", (_, make) => {
  const made = make(temporaryFolder());
  expect(() => requireTrusted(made)).not.toThrow();
});

test.each(open)("not trusted: %s", (_, make) => {
  const made = make(temporaryFolder());
  expect(() => requireTrusted(made)).toThrow(/others can write to/);
});

test.skipIf(!isRoot).each(ofOthers)("not trusted: %s", (_, make) => {
  const made = make(temporaryFolder());
  expect(() => requireTrusted(made)).toThrow(/belongs to another user/);
});

function folder(base: string, mode: number): string {
  const path = join(base, `folder-${mode.toString(8)}`);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

function link(base: string, target: string): string {
  const path = join(base, "link");
  symlinkSync(target, path);
  return path;
}

function owned(path: string): string {
  chownSync(path, somebody, somebody);
  return path;
}
