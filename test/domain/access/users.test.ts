import { describe, expect, test } from "vitest";
import { roles } from "../../../src/domain/access/principals.ts";
import { isActiveOwner, usernameKey, userStatuses } from "../../../src/domain/access/users.ts";
import { usernamePattern } from "../../../src/lib/username-rule.ts";

describe("a name", () => {
  test.each([
    ...["a", "7", "ada", "Ada.Lovelace_9", "ada+ops@example.com", "a-b", "Žofie", "李"],
    "a".repeat(100),
  ])("can be %j", (name) => expect(usernamePattern.test(name)).toBe(true));

  test.each([
    ...["", " ", "a b", "ada ", " ada", "-a", ".a", "@a", "+a", "_a", "a\n", "a\u0000", "a/b"],
    ...["a:b", "a'b", "a,b", "\u202eada", "ada\u200b", "\u{1f600}", "a".repeat(101)],
  ])("cannot be %j", (name) => expect(usernamePattern.test(name)).toBe(false));
});

test.each<[one: string, other: string, same: boolean]>([
  ["ada", "ADA", true],
  ["Ünal", "üNAL", true],
  ["caf\u00e9", "cafe\u0301", true],
  ["ａｄａ", "ada", true],
  ["ﬁona", "fiona", true],
  ["\u212a9", "k9", true],
  ["ada", "ada1", false],
  ["ada", "аda", false],
  ["ada", "ada ", false],
])("%j and %j are the same name: %j", (one, other, same) => {
  expect(usernameKey(one) === usernameKey(other)).toBe(same);
  expect(usernameKey(usernameKey(one))).toBe(usernameKey(one));
});

test("only owners who are not disabled are active owners", () => {
  const users = roles.flatMap((role) => userStatuses.map((status) => ({ role, status })));
  expect(users.filter(isActiveOwner)).toEqual([{ role: "owner", status: "ACTIVE" }]);
});
