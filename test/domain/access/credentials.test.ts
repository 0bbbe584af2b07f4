import { randomFillSync } from "node:crypto";
import { expect, test } from "vitest";
import {
  flawOfRegistrationToken,
  isWellFormedToken,
  mintToken,
  type TokenKind,
  tokenKindOf,
  tokenPrefixes,
} from "../../../src/domain/access/credentials.ts";

const kinds = Object.keys(tokenPrefixes) as TokenKind[];
const random = (bytes: Uint8Array) => void randomFillSync(bytes);

test.each(kinds)("a %s token has its prefix, 43 random characters and a checksum of 6", (kind) => {
  const token = mintToken(kind, random);
  expect(token).toMatch(new RegExp(`^${tokenPrefixes[kind]}[0-9A-Za-z]{49}$`));
  expect(isWellFormedToken(kind, token)).toBe(true);
  expect(tokenKindOf(token)).toBe(kind);
  expect(kinds.filter((other) => isWellFormedToken(other, token))).toEqual([kind]);
});

test("the format of tokens never changes, because users have stored them", () => {
  const token = mintToken("agent", (bytes) => bytes.fill(1));
  expect(token).toBe(`platform_agent_${"1".repeat(43)}0Ud3Vi`);
});

test("with one character mistyped, or two adjacent ones swapped, a token is not well formed", () => {
  const token = mintToken("apiKey", random);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === "x" ? "y" : "x";
    expect(isWellFormedToken("apiKey", token.slice(0, at) + other + token.slice(at + 1))).toBe(
      false,
    );
    const swapped = token.slice(0, at) + (token[at + 1] ?? "") + token[at] + token.slice(at + 2);
    expect(isWellFormedToken("apiKey", swapped)).toBe(swapped === token);
  }
});

test.each<[title: string, spoil: (token: string) => string]>([
  ["cut by one", (token) => token.slice(0, -1)],
  ["longer by one", (token) => `${token}0`],
  ["with a line break", (token) => `${token}\n`],
  ["with a leading space", (token) => ` ${token}`],
  ["of another case", (token) => token.toUpperCase()],
  ["with a character outside base 62", (token) => `${token.slice(0, -1)}-`],
  ["empty", () => ""],
])("a token %s is not well formed", (_title, spoil) => {
  expect(isWellFormedToken("registration", spoil(mintToken("registration", random)))).toBe(false);
});

test.each([
  ["platform_reg_x", "registration"],
  ["platform_agent_", "agent"],
  ["platform_key_?", "apiKey"],
  ["platform_", null],
  ["Bearer platform_key_x", null],
])("%j has the prefix of the kind %j", (text, kind) => {
  expect(tokenKindOf(text)).toBe(kind);
});

test("the flaw of a registration token says what was pasted instead", () => {
  const token = mintToken("registration", (bytes) => bytes.fill(7));
  const key = mintToken("apiKey", (bytes) => bytes.fill(7));
  expect(flawOfRegistrationToken(token.slice(0, -1))).toBe(
    "is mistyped or cut off: its checksum is wrong",
  );
  for (const text of [`"${token}"`, ` ${token}`, `token  ${token}`]) {
    expect(flawOfRegistrationToken(text)).toBe(
      "has other characters before platform_reg_, such as quotes or a name",
    );
  }
  expect(flawOfRegistrationToken(key)).toBe(
    "does not begin with platform_reg_: it may be another credential",
  );
});
