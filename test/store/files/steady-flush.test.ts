import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flushedSteadily } from "../../../src/store/files/steady-flush.ts";
import { atEnd } from "../../helpers/lifetime.ts";

const emptyFile = () => {
  const folder = mkdtempSync(join(tmpdir(), "platform-flush-"));
  atEnd(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "copy");
  writeFileSync(file, "");
  return file;
};

test("what is written while the file is flushed is complete", async () => {
  const file = emptyFile();
  const block = Buffer.alloc(1024 * 1024, "x");
  await flushedSteadily(file, () => {
    const descriptor = openSync(file, "r+");
    for (let i = 0; i < 32; i++) writeSync(descriptor, block);
    closeSync(descriptor);
  });
  expect(readFileSync(file).equals(Buffer.alloc(32 * block.length, "x"))).toBe(true);
});

test("an error of the work is thrown after the flushing has ended", async () => {
  const failure = new Error("disk full");
  await expect(
    flushedSteadily(emptyFile(), () => {
      throw failure;
    }),
  ).rejects.toBe(failure);
});

test.runIf(process.platform === "linux")("an error of a flush is thrown", async () => {
  // Devices cannot be flushed.
  const flushed = flushedSteadily("/dev/null", () => undefined);
  await expect(flushed).rejects.toMatchObject({ code: "EINVAL" });
});
