// A result does not repeat the output that was shown while the command ran.

import { expect, test } from "vitest";
import type { OutputPart } from "../../../src/cli/commands/commands/output-sink.ts";
import { ShownOutput } from "../../../src/cli/commands/commands/shown-output.ts";
import type { Json } from "../../../src/domain/payload/json.ts";

const text = (stream: "stdout" | "stderr", written: string): OutputPart =>
  ({ kind: "TEXT", stream, text: written }) as OutputPart;
const out = (written: string) => text("stdout", written);
const err = (written: string) => text("stderr", written);
const gap = (kind: "LOST" | "OMITTED") => ({ kind, offset: 0, bytes: 0 }) as OutputPart;

function shown(parts: OutputPart[], isComplete = true): ShownOutput {
  const output = new ShownOutput();
  for (const part of parts) output.add([part], false);
  output.add([], isComplete);
  return output;
}

test.each<[what: string, parts: OutputPart[], isComplete: boolean, isWhole: boolean]>([
  ["all of it", [out("a\n"), err("b\n")], true, true],
  ["nothing", [], true, false],
  ["output that may continue", [out("a\n")], false, false],
  ["output with a lost part", [out("a\n"), gap("LOST")], true, false],
  ["output of which the server has dropped a part", [gap("OMITTED"), out("a\n")], true, false],
])("whether the output is whole: %s", (_what, parts, isComplete, isWhole) => {
  expect(shown(parts, isComplete).isWhole).toBe(isWhole);
});

const receivedAt = "2026-01-02T03:04:05.678Z";
const none = Symbol("no output");

test.each<[what: string, written: string, output: Json, left: Json | typeof none]>([
  ["the same text", "one\ntwo\n", "one\ntwo", none],
  ["text with colours", "red\n", "\u001b[31mred\u001b[0m", none],
  ["other line ends", "one\ntwo\n", "one\r\n\r\ntwo\r\n", none],
  ["a number", "42\n", 42, none],
  ["the beginning of longer output", "one\ntwo\n", "one", "one"],
  ["another text", "one\n", "done", "done"],
  ["text without output", "", "one", "one"],
  ["an object", '{"a":1}\n', { a: 1 }, { a: 1 }],
  ["null", "one\n", null, null],
  [
    "output that was too long",
    "one\ntwo\n",
    { truncated: true, message: "It was cut.", output: "one\nt" },
    { truncated: true, message: "It was cut." },
  ],
  [
    "other output that was too long",
    "one\n",
    { truncated: true, output: "two" },
    { truncated: true, output: "two" },
  ],
])("what is left of the output of a result: %s", (_what, written, output, left) => {
  const result = shown([out(written), err("noise\n")]).without({
    success: true,
    output,
    receivedAt,
  });
  expect(result).toEqual({ success: true, receivedAt, ...(left === none ? {} : { output: left }) });
});

test.each<[what: string, details: Json, left: Json]>([
  ["the streams", { exitStatus: 3, stdout: "on", stderr: "two\nthree" }, { exitStatus: 3 }],
  ["empty streams", { stdout: "", stderr: "" }, {}],
  ["other texts", { stdout: "x", stderr: "two" }, { stdout: "x", stderr: "two" }],
  ["other fields", { status: 404, body: "one" }, { status: 404, body: "one" }],
  ["no object", ["one"], ["one"]],
])("what is left of an error's details: %s", (_what, details, left) => {
  const output = shown([out("one\n"), err("one\ntwo\n\n"), err("three\n")]);
  const error = { code: "PROGRAM_FAILED", message: "three" };
  expect(output.without({ success: false, error: { ...error, details }, receivedAt })).toEqual({
    success: false,
    receivedAt,
    error: { ...error, details: left },
  });
});
