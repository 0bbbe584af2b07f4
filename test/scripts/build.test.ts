// What a build writes, as far as the installed package's own test does not show it.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { builtInFrom } from "../../scripts/build/built-in.ts";
import { bundle } from "../../scripts/build/bundle.ts";

test("the same sources give the same bytes, wherever and whenever", async () => {
  const folder = mkdtempSync(join(tmpdir(), "platform-build-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await bundle(join(folder, "again"), {});
  const again = contentsOf(join(folder, "again"));
  expect(again.size).toBeGreaterThan(50);
  const first = contentsOf(join(inject("installedProgram"), "dist"));
  expect([...again.keys()]).toEqual([...first.keys()]);
  for (const [name, text] of again) expect(text === first.get(name), name).toBe(true);
});

function contentsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    files.sort().map((file) => [file.slice(folder.length), readFileSync(file, "utf8")]),
  );
}

const release = { version: "1.2.3" };
const stamped = { PLATFORM_VERSION: "1.3.0", PLATFORM_COMMIT: "abc", PLATFORM_BUILD_TIME: "now" };

test.each([
  { env: {}, release: null, builtIn: {} },
  { env: {}, release, builtIn: { VERSION: "1.2.3" } },
  { env: { PLATFORM_VERSION: "", PLATFORM_PORT: "80" }, release: null, builtIn: {} },
  { env: { PLATFORM_COMMIT: "abc" }, release, builtIn: { VERSION: "1.2.3", COMMIT: "abc" } },
  { env: stamped, release, builtIn: { VERSION: "1.3.0", COMMIT: "abc", BUILD_TIME: "now" } },
])("built in: $builtIn", ({ env, release: of, builtIn }) => {
  expect(builtInFrom(env, of)).toEqual(builtIn);
});
