// Folders that cannot be flushed.

import { open } from "node:fs/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { flushFolder, flushFolderSync } from "../../../src/lib/files/flush-folder.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";

/** Makes every flush fail in this way. */
async function breakFlush(code: string): Promise<void> {
  const error = Object.assign(new Error("on purpose"), { code });
  replaceBuiltin<typeof import("node:fs")>("node:fs", () => ({
    fsyncSync: () => {
      throw error;
    },
  }));
  await using handle = await open(temporaryFolder());
  const spy = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockRejectedValue(error);
  onTestFinished(() => spy.mockRestore());
}

test.each(["EACCES", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
  "%s is ignored",
  async (code) => {
    await breakFlush(code);
    const folder = temporaryFolder();
    expect(() => flushFolderSync(folder)).not.toThrow();
    await expect(flushFolder(folder)).resolves.toBeUndefined();
  },
);

test.each(["EIO", "ENOSPC"])("%s is reported", async (code) => {
  await breakFlush(code);
  const folder = temporaryFolder();
  expect(() => flushFolderSync(folder)).toThrow("on purpose");
  await expect(flushFolder(folder)).rejects.toThrow("on purpose");
});
