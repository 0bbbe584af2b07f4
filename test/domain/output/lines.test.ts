import { expect, test } from "vitest";
import { lineReader, type ReceivedPart } from "../../../src/domain/output/lines.ts";

const part = (stream: "stdout" | "stderr", text: string): ReceivedPart => ({
  kind: "TEXT",
  bytes: text.length,
  stream,
  at: "now",
  text,
});
const out = (text: string) => part("stdout", text);
const err = (text: string) => part("stderr", text);

/** `^` is the beginning of a line, and `$` its end. */
function shown(parts: ReceivedPart[]): string[] {
  const read = lineReader();
  return parts.flatMap((one) =>
    read([one]).map((piece) =>
      "gap" in piece
        ? `${piece.gap} ${piece.bytes}`
        : `${piece.isBeginning ? "^" : ""}${piece.text}${piece.isEnd ? "$" : ""}`,
    ),
  );
}

test.each<[parts: ReceivedPart[], pieces: string[]]>([
  [[out("a\nb\n")], ["^a$", "^b$"]],
  [
    [out("a"), out("b\n"), out("c")],
    ["^a", "b$", "^c"],
  ],
  [
    [out("a"), err("b\n"), out("c\n")],
    ["^a", "^b$", "^c$"],
  ],
  [
    [out("a\r\nb\rc\r"), out("\nd")],
    ["^a$", "^b$", "^c$", "^d"],
  ],
  [
    [out("a\r"), err("x"), out("\nb")],
    ["^a$", "^x", "^$", "^b"],
  ],
  [[out("\n\n")], ["^$", "^$"]],
  [
    [out("a"), { kind: "LOST", bytes: 5 }, out("b\n")],
    ["^a", "LOST 5", "^b$"],
  ],
  [[out("\u001b[2J\u0007\u202ex\ty")], ["^\\u001b[2J\\u0007\\u202ex\ty"]],
  [[out("")], []],
])("%j is read as %j", (parts, pieces) => {
  expect(shown(parts)).toEqual(pieces);
});
