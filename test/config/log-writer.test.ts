import { expect, test } from "vitest";
import { createLog } from "../../src/config/log.ts";
import { LogWriter } from "../../src/config/log-writer.ts";

type Written = (error: Error | null, count: number) => void;

/** Opens a log writer whose output is as slow or as full as the test needs. */
function openSink() {
  let text = "";
  const pending: { bytes: Buffer; written: Written }[] = [];
  const writer = new LogWriter((bytes, written) => pending.push({ bytes, written }));
  let dropped = 0;
  writer.onDropped = (lines) => {
    dropped += lines;
  };
  return {
    writer,
    text: () => text,
    dropped: () => dropped,
    /** Ends the current write. With `failsAfter`, it fails after this many bytes. */
    finish(failsAfter?: number) {
      const { bytes, written } = pending.shift() ?? expect.unreachable();
      text += bytes.subarray(0, failsAfter).toString();
      if (failsAfter === undefined) written(null, bytes.length);
      else written(new Error("ENOSPC"), failsAfter);
    },
    isWriting: () => pending.length > 0,
  };
}

test("lines that arrive while another is written are written together, in order", async () => {
  const { writer, finish, text, isWriting, dropped } = openSink();
  for (const line of ["a\n", "b\n", "c\n"]) writer.write(line);
  const drained = writer.drained(10_000);
  finish();
  expect(text()).toBe("a\n");
  finish();
  expect([text(), isWriting(), dropped(), await drained]).toEqual(["a\nb\nc\n", false, 0, true]);
});

test("lines that cannot be written are dropped and counted, and the next lines are complete", () => {
  const { writer, finish, text, dropped } = openSink();
  writer.write("first\n");
  finish(3);
  expect(dropped()).toBe(1);
  writer.write("second\n");
  writer.write("third\n");
  finish();
  finish(0);
  expect(dropped()).toBe(2);
  writer.write("fourth\n");
  finish();
  expect(text()).toBe("fir\nsecond\nfourth\n");
});

test("if the output is blocked, a megabyte of lines waits, and the rest are dropped and counted", async () => {
  const { writer, finish, dropped, text } = openSink();
  const line = `${"x".repeat(1023)}\n`;
  for (let n = 0; n < 2000; n++) writer.write(line);
  // The first line is already being written.
  expect(dropped()).toBe(2000 - 1024 - 1);
  expect(await writer.drained(10)).toBe(false);
  while (text().length < 1025 * 1024) finish();
  expect(await writer.drained(10)).toBe(true);
  writer.write(line);
  finish();
  expect(text().length).toBe(1026 * 1024);
});

test.each(["json", "pretty"] as const)("a log in the format %s is written", async (logFormat) => {
  const { writer, finish, text } = openSink();
  const log = await createLog({ logLevel: "info", logFormat }, writer);
  log.info({ agentId: "agt_1" }, "a message");
  log.debug({}, "not told");
  finish();
  expect(text()).toContain("a message");
  expect(text()).toContain("agt_1");
  expect(text().endsWith("\n")).toBe(true);
  expect(text()).not.toContain("not told");
});
