import { join } from "node:path";
import { expect, test } from "vitest";
import { loadOrCreateKey } from "../../../src/store/files/key-files.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";

test("a new key is refused until its folder can be flushed, and stays the same", () => {
  const folder = temporaryFolder();
  const file = join(folder, "audit.key");
  let isBroken = true;
  replaceBuiltin<typeof import("node:fs")>("node:fs", ({ openSync }) => ({
    openSync: (path, ...more) => {
      if (isBroken && path === folder) throw new Error("on purpose");
      return openSync(path, ...more);
    },
  }));
  let calls = 0;
  const load = () => loadOrCreateKey(file, (bytes) => void bytes.fill(++calls));
  const refusal = /Cannot use the key file .*audit\.key: on purpose/;
  expect(load).toThrow(refusal);
  expect(load).toThrow(refusal);
  isBroken = false;
  expect(load()).toEqual(Buffer.alloc(32, 1));
});
