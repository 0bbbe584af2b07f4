// However a command's output arrives, it is read in order and completely, except where it says how
// much is missing.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandOutput } from "../../../src/domain/limits.ts";
import { appendOutput, droppedPages } from "../../../src/domain/output/append.ts";
import type {
  HeldOutput,
  OutputChunk,
  OutputPage,
  OutputPart,
} from "../../../src/domain/output/output.ts";
import { partsAfter } from "../../../src/domain/output/read.ts";
import { Scrubber } from "../../../src/domain/secrets/scrubber.ts";

/** Keeps pages of output and held-back text, as the store does. */
function openStore(secrets: string[] = []) {
  const pages = new Map<number, OutputPage>();
  const last = () => [...pages.values()].at(-1) ?? null;
  let held: HeldOutput = {};
  let hasEnded = false;
  return {
    send(...chunks: OutputChunk[]): number {
      const scrubber = new Scrubber(secrets);
      const appending = { last: last(), held, chunks, scrubber, isEnd: hasEnded, now: 0 };
      const appended = appendOutput(appending);
      held = appended.held;
      for (const page of appended.pages) {
        pages.set(page.number, page);
        const { from, before } = droppedPages(page.number);
        for (let number = from; number < before; number++) pages.delete(number);
      }
      return last()?.next ?? 0;
    },
    /** Ends the command. Its held-back text and its secrets are deleted. */
    end(): void {
      hasEnded = true;
      held = {};
      secrets = [];
    },
    count: () => pages.size,
    length: () => JSON.stringify([...pages.values()]).length,
    /** Reads a few pages at a time, as the API does. */
    read(after = 0, atOnce = 3): OutputPart[] {
      const found = [...pages.values()].filter(({ next }) => next > after).slice(0, atOnce);
      const { parts, next } = partsAfter(found, after, hasEnded);
      return next > after ? [...parts, ...this.read(next, atOnce)] : parts;
    },
  };
}

const out = (offset: number, text: string): OutputChunk => ({ offset, stream: "stdout", text });
const err = (offset: number, text: string): OutputChunk => ({ offset, stream: "stderr", text });

function shown(parts: OutputPart[]): string {
  return parts.map((part) => (part.kind === "TEXT" ? part.text : `<${part.bytes}>`)).join("");
}

/** Fails unless the parts follow each other, from the beginning to `end`. */
function expectComplete(parts: OutputPart[], end: number): void {
  let next = 0;
  for (const part of parts) {
    expect(part.offset).toBe(next);
    expect(part.bytes).toBeGreaterThan(0);
    next += part.bytes;
  }
  expect(next).toBe(end);
}

describe("what is new", () => {
  test.each<[what: string, calls: OutputChunk[][], shows: string, next: number]>([
    ["one chunk after the other", [[out(0, "ab")], [out(2, "cd")]], "abcd", 4],
    ["a repeated call", [[out(0, "ab")], [out(0, "ab")], [out(2, "c")]], "abc", 3],
    ["a chunk that overlaps", [[out(0, "abc")], [out(1, "bcde")]], "abcde", 5],
    ["a chunk beyond the next offset", [[out(0, "ab")], [out(5, "c")]], "ab<3>c", 6],
    ["a gap at the beginning", [[out(7, "c")]], "<7>c", 8],
    ["a gap at the end", [[out(0, "a"), out(9, "")]], "a<8>", 9],
    ["a late chunk that covers a gap", [[out(5, "c")], [out(0, "abcd")]], "<5>c", 6],
    ["bytes of UTF-8", [[out(0, "é€")], [out(5, "𝄞")]], "é€𝄞", 9],
    ["the end of a character that overlaps", [[out(0, "a")], [out(0, "€b")]], "a\ufffd\ufffdb", 4],
    ["control sequences", [[out(0, "\u001b[31mred\u001b[0m\r\n")]], "red\r\n", 14],
  ])("%s", (_, calls, shows, next) => {
    const store = openStore();
    const nexts = calls.map((chunks) => store.send(...chunks));
    store.end();
    expect([shown(store.read()), nexts.at(-1)]).toEqual([shows, next]);
    expectComplete(store.read(), next);
  });
});

test("any output arrives whole, whatever is repeated, and however it is cut", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
  const pieces = fc.array(fc.record({ text, stream: fc.constantFrom("stdout", "stderr") }), {
    minLength: 1,
    maxLength: 40,
  });
  const calls = fc.array(fc.tuple(fc.nat(40), fc.nat(10)), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(pieces, calls, (output, ranges) => {
      let offset = 0;
      const chunks = output.map((piece) => {
        const chunk = { offset, ...piece } as OutputChunk;
        offset += Buffer.byteLength(piece.text);
        return chunk;
      });
      const store = openStore();
      let sent = 0;
      // Each call begins at any chunk that is not beyond what was sent before.
      for (const [from, count] of ranges) {
        const first = Math.min(from, sent);
        store.send(...chunks.slice(first, first + count));
        sent = Math.max(sent, Math.min(first + count, chunks.length));
      }
      const next = store.send(...chunks);
      expect(next).toBe(offset);
      store.end();
      expectComplete(store.read(), offset);
      // Only the joined texts are compared, because two parts can share a sequence of bytes.
      const whole = openStore();
      whole.send(...chunks);
      whole.end();
      expect(shown(store.read())).toBe(shown(whole.read()));
    }),
  );
});

test("with any losses, what is read says how much is missing and where", () => {
  const piece = fc.record({ skip: fc.nat(50), size: fc.integer({ min: 1, max: 5_000 }) });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 60 }), (pieces) => {
      const store = openStore();
      let offset = 0;
      let skipped = 0;
      for (const { skip, size } of pieces) {
        offset += skip;
        skipped += skip;
        store.send(out(offset, "x".repeat(size)));
        offset += size;
      }
      const parts = store.read();
      expectComplete(parts, offset);
      const lost = parts.filter(({ kind }) => kind === "LOST");
      expect(lost.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(skipped);
    }),
  );
});

describe("output that is too long", () => {
  const { firstPages, lastPages, pageLength } = commandOutput;

  test.each([300, 16 * 1024])("with chunks of %i, its first and last parts are kept", (size) => {
    const store = openStore();
    const chunksOfPage = Math.ceil(pageLength / (size + 64));
    const total = (firstPages + lastPages + 20) * chunksOfPage * size;
    let offset = 0;
    for (let line = 0; offset < total; ) {
      const chunks = Array.from({ length: 256 }, () => {
        const chunk = out(offset, `${line++}`.padStart(size).slice(-size));
        offset += size;
        return chunk;
      });
      store.send(...chunks);
      expect(store.count()).toBeLessThanOrEqual(firstPages + lastPages);
    }
    const parts = store.read();
    expectComplete(parts, offset);
    expect(parts.filter(({ kind }) => kind === "OMITTED")).toHaveLength(1);
    expect(parts[0]).toMatchObject({ offset: 0, kind: "TEXT" });
    expect(parts.at(-1)?.kind).toBe("TEXT");
    const most = (firstPages + lastPages) * (pageLength + size) * 3;
    expect(store.length()).toBeLessThan(most);
  });

  test("a reader in the omitted middle learns how much is missing after its place", () => {
    const store = openStore();
    const size = 16 * 1024;
    for (let page = 0; page < firstPages + lastPages + 30; page++) {
      store.send(out(page * size, "x".repeat(size)));
    }
    const after = (firstPages + 10) * size + 5;
    const [gap] = store.read(after);
    expect(gap).toEqual({ kind: "OMITTED", offset: after, bytes: 20 * size - 5 });
  });
});

describe("secrets", () => {
  test.each<[what: string, calls: OutputChunk[][], shows: string]>([
    ["in a chunk", [[out(0, "p=hunter2!\n")]], "p=[REDACTED]!\n"],
    ["split between calls", [[out(0, "p=hun")], [out(5, "ter2!")]], "p=[REDACTED]!"],
    ["split into characters", [..."hunter2"].map((one, at) => [out(at, one)]), "[REDACTED]"],
    [
      "with the other stream between",
      [[out(0, "hun")], [err(3, "x")], [out(4, "ter2")]],
      "x[REDACTED]",
    ],
    ["after a control sequence", [[out(0, "hun\u001b[0mter2")]], "[REDACTED]"],
    ["with a sequence between calls", [[out(0, "hun\u001b[")], [out(5, "0mter2")]], "[REDACTED]"],
    [
      "in Base64",
      [[out(0, "YXB")], [out(3, "pOmh1bnRl")], [out(12, "cjI=")]],
      "YXBpOm[REDACTED]I=",
    ],
    [
      "our own tokens",
      [[out(0, "platform_agent_")], [out(15, "abc d")]],
      "platform_agent_[REDACTED] d",
    ],
    ["a URL's password", [[out(0, "at a://b:cc@d\n")]], "at a://b:[REDACTED]@d\n"],
    ["a field", [[out(0, '{"apiKey": "a\\"b", "n": "x"}')]], '{"apiKey": "[REDACTED]", "n": "x"}'],
  ])("%s", (_, calls, shows) => {
    const store = openStore(["hunter2"]);
    for (const chunks of calls) {
      store.send(...chunks);
      for (const part of ["hu", "YXBpOmh", "agent_a", "\u001b"]) {
        expect(shown(store.read())).not.toContain(part);
      }
    }
    store.end();
    expect(shown(store.read())).toBe(shows);
  });
});

describe("what may be the beginning of a secret", () => {
  test.each<[what: string, calls: OutputChunk[][], shows: string, ends: string]>([
    ["at the end", [[out(0, "a hun")]], "a ", "a hun"],
    ["is most of it", [[out(0, "a hunter")]], "a ", "a [REDACTED]"],
    ["in several chunks", [[out(0, "a h"), out(3, "u")], [out(4, "n")]], "a ", "a hun"],
    ["and is not continued", [[out(0, "a hun")], [out(5, "g")]], "a hung", "a hung"],
    ["with the other stream after it", [[out(0, "a hun")], [err(5, "b")]], "a b", "a bhun"],
    ["in both streams", [[out(0, "a hun"), err(5, "b hu")]], "a b ", "a b hunhu"],
    ["before a loss", [[out(0, "a hun")], [out(9, "b")]], "a hun<4>b", "a hun<4>b"],
    ["before a loss at the end", [[out(0, "a hun"), out(9, "")]], "a <4>", "a <4>hun"],
    ["half a sequence", [[out(0, "x\u001b[3")]], "x", "x"],
    [
      "half a sequence in pieces",
      [[out(0, "a\u001b")], [out(2, "[")], [out(3, "1mb")]],
      "ab",
      "ab",
    ],
  ])("%s", (_, calls, shows, ends) => {
    const store = openStore(["hunter2"]);
    let next = 0;
    for (const chunks of calls) next = store.send(...chunks);
    expect(shown(store.read())).toBe(shows);
    store.end();
    expect(shown(store.read())).toBe(ends);
    expectComplete(store.read(), next);
  });

  test("is not read until it is sure, however the output is cut, and nothing is lost", () => {
    const secret = "abcab";
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "é"), maxLength: 40 });
    const pieces = fc.array(fc.record({ text, isErr: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(3)), (output, cuts) => {
        const store = openStore([secret]);
        const sent = { stdout: "", stderr: "" };
        let offset = 0;
        let known: OutputPart[] = [];
        const call: OutputChunk[] = [];
        for (const [at, piece] of output.entries()) {
          const stream = piece.isErr ? "stderr" : "stdout";
          call.push({ offset, stream, text: piece.text });
          offset += Buffer.byteLength(piece.text);
          sent[stream] += piece.text;
          if (cuts[at] === 0) continue;
          store.send(...call.splice(0));
          // Parts that were read do not change. If the last one has grown, the rest is read now.
          const end = known.at(-1);
          const after = store.read((end?.offset ?? 0) + (end?.bytes ?? 0));
          known = [...known, ...after];
        }
        store.send(...call);
        store.end();
        const end = known.at(-1);
        known.push(...store.read((end?.offset ?? 0) + (end?.bytes ?? 0)));
        expectComplete(known, offset);
        for (const stream of ["stdout", "stderr"] as const) {
          const of = known.filter((part) => part.kind === "TEXT" && part.stream === stream);
          const read = shown(of);
          expect(read).not.toContain(secret);
          if (!read.includes("[REDACTED]")) expect(read).toBe(sent[stream]);
        }
      }),
    );
  });
});
