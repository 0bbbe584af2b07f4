// Which folders code may be loaded from. (As another user than root, what belongs to others cannot be made.)

import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireTrusted } from "../../src/packaged/trusted-folder.ts";
import { temporaryFolder } from "../helpers/app.ts";

const isRoot = process.geteuid?.() === 0;
const somebody = 65533;

interface Case {
  what: string;
  /** Answers the folder that is looked at. */
  make: (base: string) => string;
  trusted: boolean;
  asRoot?: true;
}

const cases: Case[] = [
  { what: "a folder of this user", make: (base) => folder(base, 0o700), trusted: true },
  { what: "one that others may read", make: (base) => folder(base, 0o755), trusted: true },
  { what: "one that the group may write", make: (base) => folder(base, 0o775), trusted: false },
  { what: "one that all may write", make: (base) => folder(base, 0o777), trusted: false },
  { what: "one like /tmp", make: (base) => folder(base, 0o1777), trusted: true },
  {
    what: "one inside a folder that all may write",
    make: (base) => folder(folder(base, 0o777), 0o700),
    trusted: false,
  },
  {
    what: "one that is not there yet",
    make: (base) => join(folder(base, 0o700), "to/be/made"),
    trusted: true,
  },
  {
    what: "one to be made where all may write",
    make: (base) => join(folder(base, 0o777), "to/be/made"),
    trusted: false,
  },
  {
    what: "a link to a folder of this user",
    make: (base) => link(base, folder(base, 0o700)),
    trusted: true,
  },
  {
    what: "a link to where all may write",
    make: (base) => link(base, folder(folder(base, 0o777), 0o700)),
    trusted: false,
  },
  {
    what: "a link that leads through another link to where all may write",
    make(base) {
      const open = folder(base, 0o777);
      for (const name of ["deep", "target"]) mkdirSync(join(open, name));
      mkdirSync(join(base, "target"));
      symlinkSync(join(open, "deep"), join(base, "inner"));
      return link(base, "inner/../target");
    },
    trusted: false,
  },
  {
    what: "a folder of another user",
    make: (base) => owned(folder(base, 0o755)),
    trusted: false,
    asRoot: true,
  },
  {
    what: "a folder inside that of another user",
    make: (base) => folder(owned(folder(base, 0o755)), 0o700),
    trusted: false,
    asRoot: true,
  },
  {
    what: "another user's folder in one like /tmp",
    make: (base) => owned(folder(folder(base, 0o1777), 0o755)),
    trusted: false,
    asRoot: true,
  },
];

for (const { what, make, trusted, asRoot } of cases) {
  test.skipIf(asRoot && !isRoot)(`${trusted ? "yes" : "no"}: ${what}`, () => {
    const made = make(temporaryFolder());
    if (trusted) expect(() => requireTrusted(made)).not.toThrow();
    else expect(() => requireTrusted(made)).toThrow(/others can write to|belongs to another user/);
  });
}

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
