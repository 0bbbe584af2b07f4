// Secrets are removed from text in pieces and from JSON, in the forms in which programs print them.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/domain/payload/json.ts";
import { Scrubber } from "../../../src/domain/secrets/scrubber.ts";

test.each<[secrets: Json[], pieces: string[], shown: string[]]>([
  [["hunter2"], ["a hun", "ter", "2 b"], ["a [REDACTED]", "", " b"]],
  [["hunter2"], ["a hunter", " 2"], ["a hunter", " 2"]],
  [["hunter2", "hunter22"], ["hunter22"], ["[REDACTED]"]],
  [["abcab"], ["abcabcab"], ["[REDACTED]"]],
  [[{ a: ["hunter2", 12345], b: true }], ["hunter2 12345 true"], ["[REDACTED] [REDACTED] true"]],
  [["one line\nlast line"], ["last line, one line"], ["[REDACTED], [REDACTED]"]],
  [[], ["platform_key_abc1 x"], ["platform_key_[REDACTED] x"]],
  [[], ["platform_key_ab", "c1 x"], ["platform_key_[REDACTED]", " x"]],
  [[], ["a://b:c", "c@d"], ["a://b:[REDACTED]", "@d"]],
  [[], ['"generatedKey":"x1" "name":"x1"'], ['"generatedKey":"[REDACTED]" "name":"x1"']],
])("with %j, %j is shown as %j", (secrets, pieces, shown) => {
  const scrubber = new Scrubber(secrets);
  expect(scrubber.pieces(pieces)).toEqual(shown);
  expect(scrubber.pieces(shown), "again").toEqual(shown);
});

describe("short secrets are not searched for, because they would blank the whole output", () => {
  test.each<[secrets: Json[], shows: string]>([
    [[""], "a, ab, abc, 7, 123"],
    [["a", "ab", "abc", "   ", 7, 123], "a, ab, abc, 7, 123"],
    [["abcd", 1234], "a, ab, abc, 7, 123"],
    [["123\nabc"], "a, ab, abc, 7, 123"],
  ])("%j", (secrets, shows) => {
    expect(new Scrubber(secrets).text(shows)).toBe(shows);
  });
});

describe("forms in which programs print a secret", () => {
  const secret = 'p4ß "w/ä+ x&ü';
  const base64 = (text: string, kind: BufferEncoding = "base64") =>
    Buffer.from(text).toString(kind);
  const ascii = (text: string) =>
    JSON.stringify(text).replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  test.each<[form: string, text: string]>([
    ["as it is", `[${secret}]`],
    ["in another case", secret.toUpperCase().replace("SS", "ß")],
    ["in JSON", JSON.stringify({ a: secret })],
    ["in JSON of ASCII", ascii(secret)],
    ["in a URL", encodeURIComponent(secret)],
    ["in a URL with small digits", encodeURIComponent(secret).toLowerCase()],
    ["in a form", new URLSearchParams({ a: secret }).toString()],
    ["in Base64", base64(secret)],
    ["in basic authentication", base64(`bob:${secret}`)],
    ["in Base64 with something around it", base64(`{"p":"${secret}","q":1}`)],
    ["in Base64 after two bytes", base64(`xy${secret}z`)],
    ["in base64url", base64(`~~~${secret}???`, "base64url")],
  ])("%s", (_, text) => {
    const shown = new Scrubber([secret]).text(text);
    expect(shown).toContain("[REDACTED]");
    const rest = shown.replace("[REDACTED]", "");
    // In Base64, up to 6 bits at both ends depend on what is around the secret.
    expect(rest.length).toBeLessThanOrEqual(text.length - secret.length + 2);
    for (const part of ["w/", "w%2", "p4", "P4"]) expect(rest).not.toContain(part);
  });

  test("Base64 of a short secret is too short to be recognized", () => {
    expect(new Scrubber(["abcd"]).text(base64("abcd"))).toBe("YWJjZA==");
  });

  test("a text whose lower case has another length keeps its other characters", () => {
    expect(new Scrubber(["hunter2"]).text("İİİ HUNTER2 İ")).toBe("İİİ [REDACTED] İ");
  });
});

test("with too many secrets, nothing is shown", () => {
  const many = Array.from({ length: 201 }, (_, n) => `secret-${n}`);
  const scrubber = new Scrubber(many);
  expect(scrubber.pieces(["a", "", "b"])).toEqual(["[REDACTED]", "", "[REDACTED]"]);
  const all = { "[REDACTED]": ["[REDACTED]", true, "[REDACTED]"] };
  expect(scrubber.json({ a: [1, true, "b"] })).toEqual(all);
  expect(Scrubber.ofForgotten().json({ a: [1, true, "b"] })).toEqual(all);
  expect(new Scrubber(many.slice(1)).text("a secret-7")).toBe("a [REDACTED]");
});

describe("in JSON", () => {
  test.each<[value: Json, shown: Json]>([
    ["hunter2", "[REDACTED]"],
    [
      { a: ["x hunter2", { hunter2: 1, b: null }] },
      { a: ["x [REDACTED]", { "[REDACTED]": 1, b: null }] },
    ],
    [
      { pin: 12345, count: 123456 },
      { pin: "[REDACTED]", count: 123456 },
    ],
    [{ log: '{"password":"x1"}' }, { log: '{"password":"[REDACTED]"}' }],
    [['say "hi"\n'], ["[REDACTED]\n"]],
    [{ a: [1, true, null, "hunter"] }, { a: [1, true, null, "hunter"] }],
  ])("%j becomes %j", (value, shown) => {
    const before = structuredClone(value);
    expect(new Scrubber(["hunter2", 12345, 'say "hi"']).json(value)).toEqual(shown);
    expect(value).toEqual(before);
  });

  test("a value without secrets is not copied", () => {
    const value = { a: ["b"] };
    expect(new Scrubber(["hunter2"]).json(value)).toBe(value);
    expect(new Scrubber([]).json(undefined)).toBeUndefined();
  });
});

test.each<[text: string, held: number]>([
  ["a hun", 3],
  ["hunter2", 0],
  ["hunter2 h", 1],
  ["", 0],
  ["hunhunhun", 3],
  ["x platform_agent_ab", 17],
  ["x platform_agent_ab ", 0],
  ["a://b:c", 6],
  ["a://b:c@d", 8],
  ["a://b:c@d/", 0],
  ['{"apiKey": "ab\\', 14],
  ['{"name": "ab', 0],
])("the end of %j may be the beginning of a secret: %i", (text, held) => {
  expect(new Scrubber(["hunter2"]).heldLength(text)).toBe(held);
});

test.each<[text: string, shown: string]>([
  ["hun", "hun"],
  ["hunt", "[REDACTED]"],
  ["hunter", "[REDACTED]"],
  ["platform_agent_ab", "platform_agent_[REDACTED]"],
])("at the end of the output, %j is shown as %j", (text, shown) => {
  expect(new Scrubber(["hunter2"]).end(text)).toBe(shown);
});

test("no piece that was not held back contains the beginning of a secret that follows", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 7 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 60 });
  fc.assert(
    fc.property(letters, text, text, fc.array(fc.nat(12)), (secret, before, after, cuts) => {
      const scrubber = new Scrubber([secret]);
      let rest = before + secret + after;
      let held = "";
      const shown: string[] = [];
      for (const cut of [...cuts, 200]) {
        const piece = held + rest.slice(0, cut);
        rest = rest.slice(cut);
        const length = rest === "" ? 0 : scrubber.heldLength(piece);
        held = piece.slice(piece.length - length);
        shown.push(scrubber.text(piece.slice(0, piece.length - length)));
        if (rest === "") break;
      }
      expect(shown.join("").replaceAll("[REDACTED]", "-")).not.toContain(secret);
      expect(shown.join("")).toContain("[REDACTED]");
    }),
  );
});
