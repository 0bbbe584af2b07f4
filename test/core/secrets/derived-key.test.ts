import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { derivedKey } from "../../../src/core/secrets/derived-key.ts";

const secret = createSecretKey(Buffer.alloc(32, 7));

// Other keys would make stored secrets, plans and approvals invalid.
test.each([
  ["plan signatures", "", "2f5d6f69d0a084953b970c4d360e3ea4e5372f4f6ed6198c68f69e9e39b0475b"],
  ["plan signatures", "salt", "97518d1ec3786a3d81ea1b054b6ee1d48cab06c06f688c3211dc3f0e0edcaddb"],
])("the key for '%s' with the salt '%s' never changes", (purpose, salt, key) => {
  expect(derivedKey(secret, purpose, salt).toString("hex")).toBe(key);
});
