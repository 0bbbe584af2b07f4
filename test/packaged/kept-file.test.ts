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

/** Returns the file's path, and how often the content was read. */
function keep(folder: string): { file: string; unpacked: number } {
  let unpacked = 0;
  const file = keepFile(folder, name, () => {
    unpacked++;
    return content;
  });
  return { file, unpacked };
}

test("a file is unpacked once, only this user can access it, and no other file remains beside it", () => {
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

test.each<[found: string, spoil: (file: string) => void]>([
  ["a file that was cut short", (file) => writeFileSync(file, "what the")],
  [
    "a file of the same length with other content",
    (file) => writeFileSync(file, "what the nane says"),
  ],
  ["an empty file", (file) => writeFileSync(file, "")],
  [
    "a link to the right content",
    (file) => {
      writeFileSync(`${dirname(dirname(dirname(file)))}/elsewhere`, content);
      symlinkSync("../../elsewhere", file);
    },
  ],
])("%s is replaced", (_, spoil) => {
  const folder = temporaryFolder();
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  spoil(file);
  expect(keep(folder)).toEqual({ file, unpacked: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o500);
  expect(readFileSync(file)).toEqual(content);
});

const open = (folder: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o777);
};

test.each<[place: string, make: (folder: string) => void, end?: string]>([
  ["folder itself", open],
  ["group's folder", (folder) => chmodSync(folder, 0o770)],
  ["folder inside", (folder) => open(join(folder, "native", sha256)), sha256],
  [
    "target of a link",
    (folder) => {
      open(join(folder, "open"));
      symlinkSync("open", join(folder, "native"));
    },
    "open",
  ],
])("nothing is unpacked where other users can write: a %s", (_, make, end = "") => {
  const folder = temporaryFolder();
  make(folder);
  expect(() => keep(folder)).toThrow(new RegExp(`^others can write to .*${end}$`));
  expect(existsSync(join(folder, name))).toBe(false);
});

test("the next process that unpacks removes the leftovers of a killed process", () => {
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

test("a file that cannot be written is reported, and nothing remains", () => {
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
