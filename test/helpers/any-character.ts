// Any character of Unicode, for texts that fast-check generates.

import fc from "fast-check";

const between = (min: number, max: number) =>
  fc.integer({ min, max }).map((code) => String.fromCodePoint(code));

/** Like fast-check's unit "binary", which takes a second because it first lists all characters. */
export const anyCharacter = fc.oneof(between(0, 0xd7ff), between(0xe000, 0x10_ffff));
