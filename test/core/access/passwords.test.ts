// The memory that the process can use determines how many passwords are hashed at once.

import { expect, test } from "vitest";
import { Passwords } from "../../../src/core/access/passwords.ts";
import { cheapScryptCost } from "../../helpers/cheap-passwords.ts";

const mebibyte = 1024 * 1024;

test.each([
  [256, 1],
  [511, 1],
  [512, 2],
  [64 * 1024, 2],
])("with %i MiB of memory, %i at once", async (size, atOnce) => {
  const passwords = new Passwords(cheapScryptCost, (bytes) => bytes.fill(1), size * mebibyte);
  const hashes = ["a", "b", "c", "d"].map((password) => passwords.hash(password));
  expect(passwords.load).toEqual({ running: atOnce, waiting: 4 - atOnce });
  const [first] = await Promise.all(hashes);
  expect(passwords.load).toEqual({ running: 0, waiting: 0 });
  expect(await passwords.verify("a", first!, { isFamiliar: true })).toBe(true);
});
