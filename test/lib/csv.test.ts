import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRecord, csvRow } from "../../src/lib/csv.ts";
import { size } from "../helpers/size.ts";

function readBack(text: string): string[][] {
  return parse(text, { relaxQuotes: false, recordDelimiter: "\r\n" });
}

test.each([
  [["", null, 0, -1.5], ",,0,-1.5\r\n"],
  [['say "x"', "a,b", "a\nb", "a\r\nb"], '"say ""x""","a,b","a\nb","a\r\nb"\r\n'],
  [[" a", "a "], '" a","a "\r\n'],
  [[true, false], "true,false\r\n"],
  [["ünïcödé \u{1f600}"], "ünïcödé \u{1f600}\r\n"],
  [["=1+1", "+1", "-1", "@x"], "'=1+1,'+1,'-1,'@x\r\n"],
  [["\t=1", "\r=1", "\n=1"], `"'\t'=1","'\r=1","'\n=1"\r\n`],
  [["＝1", "＋1", "－1", "＠x", "a＝"], "'＝1,'＋1,'－1,'＠x,a＝\r\n"],
  [["x;=1+1", "x;＝1", "x\t@y", ";-1;+1"], `"x;'=1+1","x;'＝1","x\t'@y",";'-1;'+1"\r\n`],
  [["a; =b", "k=v;l=w", 'say "=1"'], `"a; =b","k=v;l=w","say ""=1"""\r\n`],
  [['=HYPERLINK("x","y")'], `"'=HYPERLINK(""x"",""y"")"\r\n`],
])("%j", (cells, text) => {
  expect(csvRecord(cells)).toBe(text);
});

/** Generates text with all characters that are special in CSV and spreadsheets. */
const cell = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."\",;\r\n\t =+-@＝'ab") }),
);

test("a reader gets the same cells, and no cell begins like a formula", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }),
      (rows) => {
        const width = rows[0]!.length;
        const square = rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? "x"));
        const read = readBack(square.map(csvRecord).join(""));
        const expected = square.map((row) =>
          row.map((text) =>
            text
              .replace(/([;\t])([=+\-@＝＋－＠])/g, "$1'$2")
              .replace(/^[=+\-@＝＋－＠\t\r\n]/, "'$&"),
          ),
        );
        expect(read).toEqual(expected);
        for (const text of read.flat()) expect(text).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/);
        // Other readers may split at other characters, and ignore the quotes.
        for (const text of read.flat().flatMap((one) => one.split(/[;\t]/))) {
          expect(text).not.toMatch(/^[=+\-@＝＋－＠]/);
        }
      },
    ),
    { numRuns: size(100, 500) },
  );
});

test("a row has a cell for each column, also for nested, missing and structured values", () => {
  const columns = ["a", "b.c", "b.d", "none", "none.x", "nil.x", "list", "=f"];
  const row = { a: 0, b: { c: "=1", d: { e: [1] } }, nil: null, list: ["x", "y"], "=f": false };
  expect(csvRow(columns, row)).toBe(`0,'=1,"{""e"":[1]}",,,,"[""x"",""y""]",false\r\n`);
});
