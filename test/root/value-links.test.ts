// Tests that the agent follows no links that another user, such as the managed service's, has made.

import { lchownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ConfigOrigin, readSecret } from "../../src/agent/sidecar/config/config-origin.ts";
import { configEntriesOf } from "../../src/agent/sidecar/probes/config-values.ts";
import { serviceConfig } from "../agent/sidecar/configs.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { asRoot, gid, uid } from "../helpers/programs/as-root.ts";

/** Creates a file that only the agent may read, and links to it. */
function prepare() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "secret"), { mode: 0o700 });
  writeFileSync(join(folder, "secret", "app.conf"), "only for me", { mode: 0o600 });
  symlinkSync("secret/app.conf", join(folder, "file-link"));
  symlinkSync("secret", join(folder, "folder-link"));
  // The agent's own link, which leads through the other user's link.
  symlinkSync("folder-link/../file-link", join(folder, "chain"));
  return folder;
}

const linked = ["file-link", "folder-link/app.conf", "chain"];

async function told(folder: string, path: string, followLinks?: boolean) {
  const written = { key: "a", file: { path, ...(followLinks ? { followLinks } : {}) } };
  const { configs } = serviceConfig({ configs: [written] });
  return (await configEntriesOf(configs, { folder, env: {} })())[0];
}

asRoot.each(linked)("%s, made by another user, is not followed", async (path) => {
  const folder = prepare();
  for (const name of ["file-link", "folder-link"]) lchownSync(join(folder, name), uid, gid);
  const entry = await told(folder, path);
  expect(entry).not.toHaveProperty("valuePreview");
  expect(entry?.source).toContain(`is a link whose owner, UID ${uid}`);
  const origin: ConfigOrigin = { folder, env: {} };
  await expect(readSecret({ file: path }, origin)).rejects.toThrow("set followLinks: true");
  expect(await told(folder, path, true)).toMatchObject({ valuePreview: "only for me" });
  expect(await readSecret({ file: path, followLinks: true }, origin)).toBe("only for me");
});

test.each(linked)("%s, made by the agent's own user, is followed", async (path) => {
  const folder = prepare();
  expect(await told(folder, path)).toMatchObject({ valuePreview: "only for me" });
});

test("circular and broken links are reported", async () => {
  const folder = temporaryFolder();
  symlinkSync("b", join(folder, "a"));
  symlinkSync("a", join(folder, "b"));
  expect((await told(folder, "a"))?.source).toContain("too many links");
  renameSync(join(folder, "b"), join(folder, "c"));
  expect((await told(folder, "c"))?.source).toContain("no such file");
});
