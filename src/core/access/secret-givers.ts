// Decides which secrets of a schedule or a bus route an edit keeps. If the edit changes what runs,
// only the user who gave the secrets can keep them. Others must give them again, so that nobody can
// redirect the secrets to another target.
// (docs/decisions/0011-secrets.md)

import { AppError } from "../../domain/errors.ts";
import { type Withhold, withholder } from "../../domain/secrets/payload-secrets.ts";
import type { SecretsGiven } from "../../domain/secrets/secrecy.ts";
import { listSchemasOfAction } from "../../store/tables/fleet/service-actions.ts";
import type { Lookups, Reading } from "../lookups.ts";
import { userBehind } from "./api-keys.ts";

/**
 * Returns who gives the secrets of a call: the id of the user or of the API key's user; for a key
 * without a user, the id of the key. Returns `local` for everybody who opens the database directly,
 * because they can read all secrets in it anyway.
 */
export function giverOf({ ctx, db, once }: Lookups): Promise<string> {
  return once("giver", async () => {
    const { principal } = ctx;
    const own = principal.kind === "apiKey" ? principal.keyId : "local";
    return (await userBehind(ctx, db)) ?? own;
  });
}

/**
 * Returns who gave the secrets that the edited object has after the edit; null if it has none. The
 * result is stored with the object.
 */
export function givenAfter<Given extends SecretsGiven>(
  edit: { withheld: readonly string[]; gives: boolean },
  before: { secretsGiven: Given | null } | null,
  now: Given,
): Given | null {
  if (edit.withheld.length === 0) return null;
  return edit.gives ? now : (before?.secretsGiven ?? null);
}

/**
 * `missing` lists JSON pointers to the values that are still redacted. Throws
 * PAYLOAD_NEEDS_SECRETS.
 */
export function requireGiven(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const message = `Give the values that are shown as [REDACTED] again: ${missing.join(", ")}.`;
  const why =
    "They are kept only for the user who gave them, and only for the same target and agent.";
  throw new AppError("PAYLOAD_NEEDS_SECRETS", `${message} ${why}`, {
    details: { pointers: missing },
  });
}

/**
 * Returns a function that separates the secrets from payloads of the action. The schemas of all
 * services that declare the action decide what is secret. Call this before the transaction: reading
 * large schemas takes longer than other writes should wait.
 */
export function withholderOf({ db, once }: Reading, action: string): Promise<Withhold> {
  return once(`secrets of ${action}`, async () =>
    withholder(await listSchemasOfAction(db, action, mostSchemas)),
  );
}

/**
 * Like `withholderOf`, for the audit trail. If no service declares the action yet, every value
 * counts as a secret, because a row of the trail cannot be corrected later.
 */
export function trailWithholderOf({ db, once }: Reading, action: string): Promise<Withhold> {
  return once(`secrets of ${action} in the trail`, async () => {
    const schemas = await listSchemasOfAction(db, action, mostSchemas);
    return withholder(schemas.length > 0 ? schemas : [{ writeOnly: true }]);
  });
}

/**
 * The maximum number of different schemas. Usually there are far fewer, because services of one
 * kind declare the same schema.
 */
const mostSchemas = 100;
