// The output that handlers write reaches the server in order, bounded and without secrets, and
// never delays a handler.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { pause } from "../../../src/agent/bell.ts";
import type { ActionOutput } from "../../../src/agent/services/services.ts";
import { CommandOutput } from "../../../src/agent/work/output/command-output.ts";
import { outputBody } from "../../../src/api/shapes/agent-call-schemas.ts";
import type { OutputChunk } from "../../../src/domain/output/output.ts";
import { until } from "../../helpers/process/process.ts";
import { size } from "../../helpers/size.ts";

const never = new AbortController().signal;

interface Options {
  secrets?: string[];
  /** The server receives a call when this resolves, and refuses the call if this rejects. */
  server?: () => Promise<unknown>;
  /** After this time, the result does not wait for the output. By default, it waits. */
  patienceMs?: number;
}

function open({
  secrets = [],
  server = async () => undefined,
  patienceMs = 3_600_000,
}: Options = {}) {
  const line = new AbortController();
  const calls: OutputChunk[][] = [];
  const ends: boolean[] = [];
  let next = 0;
  const output = new CommandOutput({
    async send({ chunks, end }) {
      const isRefused = await server().then(
        () => !outputBody.safeParse({ chunks }).success,
        () => true,
      );
      if (isRefused) return "refused";
      calls.push(chunks);
      ends.push(end);
      const last = chunks.at(-1);
      next = last ? last.offset + Buffer.byteLength(last.text) : next;
      return next;
    },
    secrets: () => secrets,
    patience: (signal) => pause(patienceMs, signal),
    line: line.signal,
  });
  onTestFinished(() => line.abort());
  const chunks = () => calls.flat();
  return { output, handle: output.handle, calls, ends, chunks, shown: () => shownOf(chunks()) };
}

/** Returns the text of the chunks, with each gap shown as its size in bytes. */
function shownOf(chunks: OutputChunk[]): string {
  let next = 0;
  return chunks
    .map(({ offset, stream, text }) => {
      const gap = offset > next ? `<${offset - next}>` : "";
      next = offset + Buffer.byteLength(text);
      return gap + (stream === "stderr" ? `!${text}` : text);
    })
    .join("");
}

test("lines of both streams are sent together, with their offsets", async () => {
  const { output, handle, calls } = open();
  handle.write("one\n");
  handle.stderr.write("zwei €\n");
  handle.write(Buffer.from("three\n"));
  await output.end(never);
  expect(calls).toEqual([
    [
      { offset: 0, stream: "stdout", text: "one\n" },
      { offset: 4, stream: "stderr", text: "zwei €\n" },
      { offset: 13, stream: "stdout", text: "three\n" },
    ],
  ]);
});

test("a half line is sent after a short time, without the beginning of a secret", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { output, handle, shown } = open({ secrets: ["hunter2"] });
  handle.write("Continue? hunt");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown()).toBe("Continue? ");
  handle.write("er2 ok\n");
  const ended = output.end(never);
  await vi.advanceTimersByTimeAsync(1000);
  await ended;
  expect(shown()).toBe("Continue? [REDACTED] ok\n");
});

test.each<[what: string, secrets: string[], pieces: (string | Uint8Array)[], shows: string]>([
  ["a secret in pieces", ["hunter2"], ["a hu", "nter", "2 b\n"], "a [REDACTED] b\n"],
  ["a secret of two lines", ["one1\ntwo2"], ["x one1\n", "two2 y\n"], "x [REDACTED] y\n"],
  ["a secret with colours", ["hunter2"], ["hun\u001b[1mter2\u001b[0m\n"], "[REDACTED]\n"],
  ["a sequence in pieces", [], ["a\u001b[3", "1mb\n"], "ab\n"],
  ["a character in pieces", [], [Buffer.from([0xe2, 0x82]), Buffer.from([0xac, 0x0a])], "€\n"],
  ["bytes that are not UTF-8", [], [Buffer.from([0xff, 0x61, 0xc3])], "\ufffda\ufffd"],
  ["the beginning of a secret at the end", ["hunter2"], ["hun"], "hun"],
  ["most of a secret at the end", ["hunter2"], ["a hunter"], "a [REDACTED]"],
  ["a token", [], ["platform_agent_", "abc\n"], "platform_agent_[REDACTED]\n"],
])("%s", async (_, secrets, pieces, shows) => {
  const { output, handle, shown } = open({ secrets });
  for (const piece of pieces) handle.write(piece);
  await output.end(never);
  expect(shown()).toBe(shows);
});

/** Each writes one character at a time, as unbuffered programs do. */
const writes: [what: string, write: (handle: ActionOutput, n: number) => void][] = [
  ["of bytes", (handle, n) => handle.write(Buffer.from(digit(n)))],
  ["of lines", (handle, n) => handle.write(`${digit(n)}\n`)],
  ["to both streams", (handle, n) => (n % 2 ? handle : handle.stderr).write(digit(n))],
];
const digit = (n: number) => String(n % 10);

test.each(writes)("what is written %s while the server is away arrives whole", async (_, write) => {
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const { output, handle, chunks } = open({ server: () => back });
  for (let n = 0; n < 3000; n++) {
    write(handle, n);
    if (n % 500 === 0) await nextTurn();
  }
  const ended = output.end(never);
  resolve();
  await ended;
  const shown = chunks().flatMap(({ text }) => [...text.replaceAll("\n", "")]);
  expect(shown.sort().join("")).toBe([..."0123456789"].map((one) => one.repeat(300)).join(""));
  expectNoGap(chunks());
});

function expectNoGap(chunks: OutputChunk[]): void {
  expect(shownOf(chunks)).not.toContain("<");
}

test("many small writes that wait are sent or counted as lost", async () => {
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const { output, handle, chunks } = open({ server: () => back, patienceMs: 10 });
  const total = size(30_000, 300_000);
  for (let n = 0; n < total; n++) (n % 2 ? handle : handle.stderr).write("x");
  handle.write("\nthe end\n");
  await output.end(never);
  resolve();
  await until("the end", () => shownOf(chunks()).includes("the end\n"));
  const last = chunks().at(-1)!;
  expect(last.offset + last.text.length).toBe(total + "\nthe end\n".length);
});

test("what the server refuses is marked as lost, and the rest is sent", async () => {
  let calls = 0;
  const server = () => (++calls === 2 ? Promise.reject(new Error("no")) : Promise.resolve());
  const { output, handle, shown } = open({ server });
  for (const line of ["first\n", "second\n"]) {
    const before = calls;
    handle.write(line);
    await until("the call", () => calls > before);
  }
  await until("the mark", () => shown() === "first\n<7>");
  handle.write("third\n");
  await output.end(never);
  expect(shown()).toBe("first\n<7>third\n");
});

test("if the last call is refused, an empty chunk shows how much is lost", async () => {
  let calls = 0;
  const server = () => (++calls === 1 ? Promise.reject(new Error("no")) : Promise.resolve());
  const { output, handle, chunks } = open({ server });
  handle.write("lost\n");
  await output.end(never);
  expect(chunks()).toEqual([{ offset: 5, stream: "stdout", text: "" }]);
});

test("a server that refuses everything is not called forever", async () => {
  let calls = 0;
  const server = () => Promise.reject(new Error(`no ${++calls}`));
  const { output, handle, chunks } = open({ server });
  handle.write("lost\n");
  await output.end(never);
  expect([calls, chunks()]).toEqual([2, []]);
});

test("what is hidden later is removed from then on", async () => {
  const { output, handle, shown } = open();
  handle.hide("swordfish", "");
  handle.write("a swordfish\n");
  await output.end(never);
  expect(shown()).toBe("a [REDACTED]\n");
});

test("while the server is away, memory is bounded, and the loss is marked", async () => {
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const { output, handle, chunks, shown } = open({ server: () => back, patienceMs: 10 });
  let written = 0;
  for (let n = 0; n < 40_000; n++) {
    const line = `line ${n} ${"x".repeat(50)}\n`;
    written += line.length;
    handle.write(line);
    if (n % 1000 === 0) await nextTurn();
  }
  await output.end(never);
  resolve();
  await until("the last line", () => shown().includes("line 39999 "));
  const kept = chunks().reduce((sum, { text }) => sum + text.length, 0);
  expect(kept).toBeLessThan(400_000);
  const last = chunks().at(-1)!;
  expect(last.offset + last.text.length).toBe(written);
  expect(shown()).toMatch(/<\d{6,}>line \d+ x+\n/);
  // No half line follows a gap.
  expect(shown().replace(/<\d+>/g, "")).toMatch(/^(line \d+ x{50}\n)+$/);
});

test("a flood in one write is bounded", async () => {
  const { output, handle, chunks } = open();
  handle.write(Buffer.alloc(20_000_000, "y\n"));
  await output.end(never);
  const sizes = chunks().map(({ text }) => text.length);
  expect(sizes.reduce((sum, length) => sum + length, 0)).toBeLessThan(300_000);
  const last = chunks().at(-1)!;
  expect(last.offset + last.text.length).toBe(20_000_000);
});

test("after a refusal, nothing is sent or kept", async () => {
  let calls = 0;
  const output = new CommandOutput({
    send: async () => {
      calls++;
      return null;
    },
    secrets: () => [],
    patience: (signal) => pause(1000, signal),
    line: new AbortController().signal,
  });
  for (let n = 0; n < 10; n++) output.handle.write("x".repeat(20_000));
  await output.end(never);
  output.handle.write("more");
  expect(calls).toBe(1);
});

test("the agent's end stops the sending", async () => {
  const line = new AbortController();
  const sent = Promise.withResolvers<void>();
  const output = new CommandOutput({
    send: (_chunks, signal) => {
      sent.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
    },
    secrets: () => [],
    patience: (signal) => pause(60_000, signal),
    line: line.signal,
  });
  output.handle.write("x\n");
  const ended = output.end(never);
  await sent.promise;
  line.abort();
  await ended;
});

test("the last call says that it is the end", async () => {
  const { output, handle, calls, ends } = open();
  handle.write("early\n");
  await until("the first call", () => calls.length > 0);
  await output.end(never);
  expect([calls.length, ends]).toEqual([2, [false, true]]);
  const { output: short, handle: quick, ends: shortEnds } = open();
  quick.write("all\n");
  await short.end(never);
  expect(shortEnds).toEqual([true]);
});

test("without output there is no call", async () => {
  const { output, calls } = open();
  await output.end(never);
  expect(calls).toEqual([]);
});
