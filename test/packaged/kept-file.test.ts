// A file that is unpacked once: what is found in its place is used only when nobody else can have put it there
// and it is the right one.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { keepFile } from "../../src/packaged/kept-file.ts";
import { temporaryFolder } from "../helpers/app.ts";

const content = Buffer.from("what the name says");
const sha256 = createHash("sha256").update(content).digest("hex");
const name = `native/${sha256}/module.node`;

/** Keeps it below the folder. Answers where, and how often the content was asked for. */
function keep(folder: string): { file: string; unpacked: number } {
  let unpacked = 0;
  const file = keepFile(folder, name, () => {
    unpacked++;
    return content;
  });
  return { file, unpacked };
}

test("it is unpacked once, for this user alone, with nothing beside it", () => {
  const folder = join(temporaryFolder(), "cache/platform");
  const { file, unpacked } = keep(folder);
  expect(unpacked).toBe(1);
  expect(file).toBe(join(folder, name));
  expect(readFileSync(file)).toEqual(content);
  expect(statSync(file).mode & 0o777).toBe(0o500);
  for (let made = dirname(file); made !== dirname(folder); made = dirname(made)) {
    expect(statSync(made).mode & 0o777, made).toBe(0o700);
  }
  expect(readdirSync(dirname(file))).toEqual(["module.node"]);
  const { ino } = statSync(file);
  expect(keep(folder)).toEqual({ file, unpacked: 0 });
  expect(statSync(file).ino).toBe(ino);
});

test.each<{ found: string; spoil: (file: string) => void }>([
  { found: "a file that was cut short", spoil: (file) => writeFileSync(file, "what the") },
  {
    found: "another of the same length",
    spoil: (file) => writeFileSync(file, "what the nane says"),
  },
  { found: "an empty file", spoil: (file) => writeFileSync(file, "") },
  {
    found: "a link to the right content",
    spoil(file) {
      writeFileSync(`${dirname(dirname(dirname(file)))}/elsewhere`, content);
      symlinkSync("../../elsewhere", file);
    },
  },
])("$found is replaced", ({ spoil }) => {
  const folder = temporaryFolder();
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  spoil(file);
  expect(keep(folder)).toEqual({ file, unpacked: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o500);
  expect(readFileSync(file)).toEqual(content);
});

test.each<{ place: string; make: (folder: string) => void; says: RegExp }>([
  {
    place: "folder itself",
    make: (folder) => chmodSync(folder, 0o777),
    says: /^others can write to /,
  },
  {
    place: "group's folder",
    make: (folder) => chmodSync(folder, 0o770),
    says: /^others can write to /,
  },
  {
    place: "folder inside",
    make(folder) {
      mkdirSync(join(folder, "native", sha256), { recursive: true, mode: 0o700 });
      chmodSync(join(folder, "native", sha256), 0o777);
    },
    says: new RegExp(`^others can write to .*${sha256}$`),
  },
  {
    place: "place that a link leads to",
    make(folder) {
      mkdirSync(join(folder, "open"));
      chmodSync(join(folder, "open"), 0o777);
      symlinkSync("open", join(folder, "native"));
    },
    says: /^others can write to .*open$/,
  },
])("nothing is unpacked where others can write: a $place", ({ make, says }) => {
  const folder = temporaryFolder();
  make(folder);
  expect(() => keep(folder)).toThrow(says);
  expect(existsSync(join(folder, name))).toBe(false);
});

test("what one that was killed has left is removed by the next that unpacks", () => {
  const folder = temporaryFolder();
  const home = dirname(join(folder, name));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const draft of ["new-killed", "new-at-work", "other"]) {
    mkdirSync(join(home, draft));
    writeFileSync(join(home, draft, "half"), "half");
  }
  for (const old of ["new-killed", "other"]) utimesSync(join(home, old), 1000, 1000);
  keep(folder);
  expect(readdirSync(home).sort()).toEqual(["module.node", "new-at-work", "other"]);
});

test("what cannot be written says so, and leaves nothing", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "native"), "a file");
  expect(() => keep(folder)).toThrow(/EEXIST|ENOTDIR/);
  expect(() =>
    keepFile(join(folder, "other"), name, () => {
      throw new Error("the archive is spoilt");
    }),
  ).toThrow("the archive is spoilt");
  expect(readdirSync(join(folder, "other/native", sha256))).toEqual([]);
});
