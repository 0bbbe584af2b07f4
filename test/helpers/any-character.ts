// Any character of Unicode, for texts that fast-check makes up.

import fc from "fast-check";

const between = (min: number, max: number) =>
  fc.integer({ min, max }).map((code) => String.fromCodePoint(code));

/** As the unit "binary" of fast-check, which first makes a list of all characters: this takes a second. */
export const anyCharacter = fc.oneof(between(0, 0xd7ff), between(0xe000, 0x10_ffff));
