import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { TextSecrets } from "../../../src/domain/payload/text-secrets.ts";

test.each<[secrets: Json[], pieces: string[], shown: string[]]>([
  [["hunter2"], ["a hunter2 b"], ["a [REDACTED] b"]],
  [["hunter2"], ["a hun", "ter", "2 b"], ["a [REDACTED]", "", " b"]],
  [["hunter2"], ["a hunter", " 2"], ["a hunter", " 2"]],
  [["hunter2", "hunter22"], ["hunter22"], ["[REDACTED]"]],
  [["abcab"], ["abcabcab"], ["[REDACTED]"]],
  [[{ a: ["hunter2", 12345], b: true }], ["hunter2 12345 true"], ["[REDACTED] [REDACTED] true"]],
  [["abc"], ["abc"], ["abc"]],
  [["one line\nlast line"], ["last line, one line"], ["[REDACTED], [REDACTED]"]],
  [['say "hi"'], ['{"a":"say \\"hi\\""}'], ['{"a":"[REDACTED]"}']],
  [[], ["platform_key_abc1 x"], ["platform_key_[REDACTED] x"]],
  [[], ["platform_key_ab", "c1 x"], ["platform_key_[REDACTED]", " x"]],
  [[], ["a://b:c", "c@d"], ["a://b:[REDACTED]", "@d"]],
  [[], ['"generatedKey":"x1" "name":"x1"'], ['"generatedKey":"[REDACTED]" "name":"x1"']],
])("with %j, %j is shown as %j", (secrets, pieces, shown) => {
  const finder = new TextSecrets(secrets);
  expect(finder.redact(pieces)).toEqual(shown);
  expect(finder.redact(shown), "again").toEqual(shown);
});

test("with too many secrets, nothing is shown", () => {
  const many = Array.from({ length: 201 }, (_, n) => `secret-${n}`);
  expect(new TextSecrets(many).redact(["a", "", "b"])).toEqual(["[REDACTED]", "", "[REDACTED]"]);
  expect(new TextSecrets(many.slice(1)).redact(["a secret-7"])).toEqual(["a [REDACTED]"]);
});

test.each<[text: string, held: number]>([
  ["a hun", 3],
  ["hunter", 6],
  ["hunter2", 0],
  ["hunter2 h", 1],
  ["nothing", 0],
  ["", 0],
])("the end of %j may be the beginning of a secret: %i", (text, held) => {
  expect(new TextSecrets(["hunter2"]).heldLength(text)).toBe(held);
});

test("no piece that was not held back contains the beginning of a secret that follows", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 7 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 60 });
  fc.assert(
    fc.property(letters, text, text, fc.array(fc.nat(12)), (secret, before, after, cuts) => {
      const finder = new TextSecrets([secret]);
      let rest = before + secret + after;
      let held = "";
      const shown: string[] = [];
      for (const cut of [...cuts, 200]) {
        const piece = held + rest.slice(0, cut);
        rest = rest.slice(cut);
        const length = rest === "" ? 0 : finder.heldLength(piece);
        held = piece.slice(piece.length - length);
        shown.push(...finder.redact([piece.slice(0, piece.length - length)]));
        if (rest === "") break;
      }
      expect(shown.join("").replaceAll("[REDACTED]", "-")).not.toContain(secret);
      expect(shown.join("")).toContain("[REDACTED]");
    }),
  );
});
