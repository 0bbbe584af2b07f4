import { expect, test } from "vitest";
import { passwordProblem } from "../../src/lib/password-rules.ts";

const long = /must have 12 to 128 characters/;
const name = /must not be the username/;
const few = /at least five different/;
const mostly = /mostly of one character/;
const walk = /path across the keyboard/;
const row = /sequence of adjacent/;
const common = /most common/;
const oneWord = /one short word/;

test.each<[title: string, password: string, problem: RegExp]>([
  ["nothing", "", long],
  ["one too short", "tr0ub4dor&3", long],
  ["one too long", `${"abcdefgh".repeat(16)}e`, long],
  ["twelve UTF-16 code units, but six characters", "😀😁😂😃😄😅", long],
  ["twelve code points, but six characters", "e\u0301a\u0301o\u0301u\u0301i\u0301y\u0301", long],
  ["the username", "ada.lovelace", name],
  ["the username in wide letters", "ａｄａ.ｌｏｖｅｌａｃｅ", name],
  ["one character", "aaaaaaaaaaaa", few],
  ["one character and three others", "aaaaaaaaaaab1c", few],
  ["one character and four others", "aaaaaaaaab1cd", mostly],
  ["columns of the keyboard, downwards", "qazwsxedcrfv", walk],
  ["a zigzag over the keyboard", "q1w2e3r4t5y6", walk],
  ["a piece of the keyboard, repeated", "asdfgasdfg12", walk],
  ["a walk on a German keyboard", "qaywsxedcrfv", walk],
  ["a walk on a French keyboard", "aqwzsxedcrfv", walk],
  ["digits upwards", "123456789012", row],
  ["letters downwards, in capitals", "ZYXWVUTSRQPO", row],
  ["a common word and digits", "password1234", common],
  ["in wide letters", "ｐａｓｓｗｏｒｄ1234", common],
  ["a famous sentence", "correct-horse-battery-staple", common],
  ["a common word with a digit for a letter", "P@ssw0rd2026", common],
  ["a row of the keyboard", "qwertyuiop[]", common],
  ["a word and digits", "dragon123456", oneWord],
  ["a month, and symbols", "!!!January2026!!!", oneWord],
  ["a word with digits for letters", "Dr4g0n!!202612", oneWord],
])("refused: %s", (_, password, problem) => {
  expect(passwordProblem(password, "Ada.Lovelace")).toMatch(problem);
});

test.each<[title: string, password: string]>([
  ["twelve characters", "tr0ub4dor&3x"],
  ["128 characters", "abcdefgh".repeat(16)],
  ["128 characters of two UTF-16 code units each", "😀😁😂😃😄😅😆😇".repeat(16)],
  [
    "128 characters of two code points each",
    "e\u0301a\u0301o\u0301u\u0301i\u0301y\u0301n\u0301c\u0301".repeat(16),
  ],
  ["the username with one more character", "ada.lovelace!"],
  ["five different characters", "abcdeabcdeab"],
  ["half of one character", "aaaaaatp0wzn"],
  ["a short walk in a longer password", "qwerty-hat-9Z"],
  ["a common word inside a sentence", "my password is none"],
  ["adjacent characters, but not all in one sequence", "abcdefghijk1"],
  ["no letters at all", "4839 2018 7756"],
])("accepted: %s", (_, password) => {
  expect(passwordProblem(password, "Ada.Lovelace")).toBeNull();
});
