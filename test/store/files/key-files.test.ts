import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadOrCreateKey } from "../../../src/store/files/key-files.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";

test("a new key whose folder cannot be flushed is refused and removed", () => {
  const folder = temporaryFolder();
  const file = join(folder, "audit.key");
  let isBroken = true;
  replaceBuiltin<typeof import("node:fs")>("node:fs", ({ openSync }) => ({
    openSync: (path, ...more) => {
      if (isBroken && path === folder) throw new Error("on purpose");
      return openSync(path, ...more);
    },
  }));
  const load = () => loadOrCreateKey(file, (bytes) => void bytes.fill(7));
  expect(load).toThrow(/Cannot use the key file .*audit\.key: on purpose/);
  expect(existsSync(file)).toBe(false);
  isBroken = false;
  expect(load()).toEqual(load());
});
