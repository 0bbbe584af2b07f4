import { expect, test } from "vitest";
import { lastLine, lastPrintedLine } from "../../../src/domain/output/last-line.ts";
import type { OutputGap, OutputPart, OutputStream } from "../../../src/domain/output/output.ts";

test.each<[text: string, line: string | null]>([
  ["", null],
  ["\n \n", null],
  ["done\n", "done"],
  ["wiping ...\n\nremoved 12 files\n\n", "removed 12 files"],
  ["10%\r100%\r\n", "100%"],
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), `${"x".repeat(199)}…`],
])("of the output %j, %j is the last line", (text, line) => {
  expect(lastLine(text)).toBe(line);
});

function from(stream: OutputStream, text: string): OutputPart {
  return { kind: "TEXT", offset: 0, bytes: text.length, stream, at: 0, text };
}

const out = (text: string) => from("stdout", text);
const err = (text: string) => from("stderr", text);
const gap: OutputGap = { kind: "LOST", offset: 0, bytes: 9 };

test.each<{ what: string; parts: OutputPart[]; offset?: number; line: string | null }>([
  { what: "no text", parts: [out("\n")], line: null },
  { what: "a line in two parts", parts: [out("disk "), out("full\n")], line: "disk full" },
  { what: "both streams", parts: [out("50%"), err("disk full")], line: "disk full" },
  { what: "both streams in turn", parts: [err("disk full\n"), out("50%")], line: "50%" },
  { what: "a gap before it", parts: [out("50%"), gap, out("full\n")], line: "…full" },
  { what: "a line after the gap", parts: [gap, out("50%\nfull\n")], line: "full" },
  { what: "a gap after it", parts: [out("copying\ndisk"), gap], line: "disk…" },
  { what: "only a gap", parts: [gap], line: null },
  { what: "a page before it", parts: [out("full\n")], offset: 9, line: "…full" },
  { what: "no text on a later page", parts: [out("\n")], offset: 9, line: "…" },
  { what: "lines on a later page", parts: [out("50%\nfull")], offset: 9, line: "full" },
  {
    what: "a line longer than 200 characters",
    parts: [out("x".repeat(150)), out("x".repeat(150))],
    offset: 9,
    line: `…${"x".repeat(198)}…`,
  },
])("the last line of a command's last page, with $what", ({ parts, offset = 0, line }) => {
  expect(lastPrintedLine({ offset, parts })).toBe(line);
});
