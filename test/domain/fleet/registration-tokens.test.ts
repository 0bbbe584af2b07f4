import { expect, test } from "vitest";
import {
  currentTokenStatus,
  type RegistrationTokenStatus,
} from "../../../src/domain/fleet/registration-tokens.ts";

const now = 1_000_000;

test.each<[stored: RegistrationTokenStatus, expiresAt: number | null, is: RegistrationTokenStatus]>(
  [
    ["ACTIVE", null, "ACTIVE"],
    ["ACTIVE", now + 1, "ACTIVE"],
    ["ACTIVE", now, "EXPIRED"],
    ["USED", now - 1, "USED"],
    ["REVOKED", now - 1, "REVOKED"],
    ["EXPIRED", now + 1, "EXPIRED"],
  ],
)("a token stored as %s that expires at %j is %s", (status, expiresAt, is) => {
  expect(currentTokenStatus({ status, expiresAt }, now)).toBe(is);
});
