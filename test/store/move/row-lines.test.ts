import fc from "fast-check";
import { expect, test } from "vitest";
import {
  lineOf,
  makeStorable,
  type RowTexts,
  TableDigest,
} from "../../../src/store/move/row-lines.ts";

const meanings: Record<string, string> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };

/** Reads a line as PostgreSQL's COPY does. */
function read(line: string): RowTexts {
  expect(line.endsWith("\n")).toBe(true);
  const fields = line.slice(0, -1).split("\t");
  return fields.map((field) => {
    if (field === "\\N") return null;
    return field.replace(/\\(.)/gs, (_, escaped: string) => meanings[escaped] ?? escaped);
  });
}

test.each<[RowTexts, string]>([
  [["a", null, ""], "a\t\\N\t\n"],
  [["\\N"], "\\\\N\n"],
  [["\\."], "\\\\.\n"],
  [["a\tb\r\nc"], "a\\tb\\r\\nc\n"],
])("the line of %j", (row, line) => expect(lineOf(row)).toBe(line));

test("a line has exactly the texts of its row", () => {
  const text = fc.string({ unit: fc.constantFrom("\\", "\t", "\n", "\r", "N", "n", ".", "é") });
  const row = fc.array(fc.option(text), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(row, (texts) => {
      expect(read(lineOf(texts))).toEqual(texts);
    }),
  );
});

test("only what neither engine can keep is replaced", () => {
  const row: RowTexts = ["a\0b", null, "\ud800", "\u{1f600}", "plain", "\0\0"];
  expect(makeStorable(row)).toBe(3);
  expect(row).toEqual(["a\ufffdb", null, "\ufffd", "\u{1f600}", "plain", "\ufffd\ufffd"]);
  expect(makeStorable(row)).toBe(0);
});

test("a digest does not depend on how the rows are divided", () => {
  const [one, other] = [new TableDigest(), new TableDigest()];
  one.add("a\nb\n", 2);
  for (const line of ["a\n", "b\n"]) other.add(line, 1);
  const ended = one.end();
  expect(other.end()).toEqual(ended);
  expect(ended.rows).toBe(2);
});
