// A database that takes the place of another: when the disk refuses a step, all is as it was before.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { draftOf, replaceFile } from "../../src/store/replace-file.ts";
import { temporaryFolder } from "../helpers/app.ts";

/** A damaged database, whose log cannot be folded into it; and what is to replace it. */
function prepare() {
  const file = join(temporaryFolder(), "platform.db");
  writeFileSync(file, "old");
  writeFileSync(`${file}-wal`, "its log");
  writeFileSync(draftOf(file), "new");
  return { file, kept: `${file}.before-restore-1` };
}

test("the new one has the name, the old one and its log are kept", () => {
  const { file, kept } = prepare();
  replaceFile(file, kept);
  expect([file, kept, `${kept}-wal`].map((name) => readFileSync(name, "utf8"))).toEqual([
    "new",
    "old",
    "its log",
  ]);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test("a step that fails after the old one was kept takes that back", () => {
  const { file, kept } = prepare();
  // No file: it cannot be removed, and that comes after the log was moved.
  mkdirSync(`${file}-shm`);
  expect(() => replaceFile(file, kept)).toThrow();
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readFileSync(`${file}-wal`, "utf8")).toBe("its log");
  expect(statSync(file).nlink).toBe(1);
  expect(readdirSync(join(file, "..")).sort()).toEqual([
    "platform.db",
    "platform.db-shm",
    "platform.db-wal",
  ]);
});
