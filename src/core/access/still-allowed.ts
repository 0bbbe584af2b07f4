// Checks whether the credential of a long call is still valid, without extending the session.

import { apiKeyStatus } from "../../domain/access/api-keys.ts";
import type { Principal } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import type { Reader } from "../../store/database.ts";
import { findApiKey } from "../../store/tables/access/api-keys.ts";
import { findSessionStanding } from "../../store/tables/access/sessions.ts";
import type { Core, Ctx } from "../context.ts";

/** After a shorter wait, in milliseconds, the credential is not checked again. */
const quickMs = 1000;

/**
 * Call this when an operator's call has waited, before the call takes effect or is answered.
 * `since` is the monotonic time before the wait. Throws UNAUTHORIZED if the credential is no
 * longer valid.
 */
export async function recheckCaller(
  { core, principal }: Ctx,
  db: Reader,
  since: number,
): Promise<void> {
  if (core.monotonic() - since < quickMs || (await isStillAllowed(core, db, principal))) return;
  throw new AppError("UNAUTHORIZED", "Access ended during this call: sign in again.");
}

export async function isStillAllowed(
  core: Core,
  db: Reader,
  principal: Principal,
): Promise<boolean> {
  const now = core.now();
  switch (principal.kind) {
    case "user": {
      const session = await findSessionStanding(db, principal.sessionId);
      return (
        session !== null &&
        Math.min(session.expiresAt, session.endsAt) > now &&
        session.role === principal.role
      );
    }
    case "apiKey": {
      const key = await findApiKey(db, principal.keyId);
      return key?.role === principal.role && apiKeyStatus(key, now) === "ACTIVE";
    }
    default:
      return true;
  }
}
