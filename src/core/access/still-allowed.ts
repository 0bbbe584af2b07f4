// Checks whether the credential of a long call is still valid, without extending the session.

import { apiKeyStatus } from "../../domain/access/api-keys.ts";
import type { Principal } from "../../domain/access/principals.ts";
import { findApiKey } from "../../store/tables/access/api-keys.ts";
import { findSessionStanding } from "../../store/tables/access/sessions.ts";
import type { Core } from "../context.ts";

export async function isStillAllowed(core: Core, principal: Principal): Promise<boolean> {
  const now = core.now();
  const { read } = core.db;
  switch (principal.kind) {
    case "user": {
      const session = await findSessionStanding(read, principal.sessionId);
      return (
        session !== null &&
        Math.min(session.expiresAt, session.endsAt) > now &&
        session.role === principal.role
      );
    }
    case "apiKey": {
      const key = await findApiKey(read, principal.keyId);
      return key?.role === principal.role && apiKeyStatus(key, now) === "ACTIVE";
    }
    default:
      return true;
  }
}
