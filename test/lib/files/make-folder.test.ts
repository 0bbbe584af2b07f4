import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../src/lib/files/make-folder.ts";
import { temporaryFolder } from "../../helpers/app.ts";

test("makeFolder creates missing folders, and does not change existing ones", () => {
  const folder = temporaryFolder();
  const mode = statSync(folder).mode;
  makeFolder(join(folder, "a/b/c"), 0o700);
  makeFolder(join(folder, "a/b/c"), 0o700);
  expect(statSync(join(folder, "a/b")).mode & 0o777).toBe(0o700);
  expect(statSync(folder).mode).toBe(mode);
});

test("makeFolder refuses a path that contains a file", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file, 0o700)).toThrow(`${file} is not a folder`);
  expect(() => makeFolder(join(file, "below"), 0o700)).toThrow("ENOTDIR");
});

// With `recursive`, Node's own function never returns here.
test.skipIf(!existsSync("/proc/self"))(
  "makeFolder refuses a place where nothing can be created",
  () => {
    expect(() => makeFolder("/proc/nowhere/below", 0o700)).toThrow("ENOENT");
  },
);
