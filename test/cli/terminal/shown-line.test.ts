// The progress line is erased before anything else is printed on the same terminal.

import { expect, test, vi } from "vitest";
import { liveOutput } from "../../../src/cli/commands/commands/live-output.ts";
import { processIo } from "../../../src/cli/terminal/io.ts";
import { startProgress } from "../../../src/cli/terminal/progress.ts";

const cleared = "\r\u001b[2K";

/** Returns what `work` writes to stderr, without the frames of the progress line. */
async function written(work: (io: ReturnType<typeof processIo>) => unknown): Promise<string> {
  const texts: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    texts.push(String(text));
    return true;
  });
  try {
    await work({ ...processIo("platformctl"), interactive: true });
  } finally {
    write.mockRestore();
  }
  return texts.join("").replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏][^\r]*/gu, "<line>");
}

test("a note replaces the line, and the next note follows it", async () => {
  const text = await written((io) => {
    using progress = startProgress(io, "waiting");
    progress.say("still waiting");
    io.note("one\n");
    io.note("two\n");
  });
  expect(text).toBe(`<line>${cleared}one\ntwo\n`);
});

test("the end of the progress removes the line", async () => {
  const text = await written((io) => {
    {
      using _ = startProgress(io, "waiting");
    }
    io.note("done\n");
  });
  expect(text).toBe(`<line>${cleared}done\n`);
});

test("the end of the output replaces the line, even if it brings no more text", async () => {
  const text = await written(async (io) => {
    using _ = startProgress(io, "waiting");
    const { take } = liveOutput(io);
    const half = { kind: "TEXT", stream: "stdout", text: "half", offset: 0, bytes: 4 } as const;
    await take([half as never], false);
    await take([], true);
  });
  expect(text).toBe(`<line>${cleared}half\n`);
});
