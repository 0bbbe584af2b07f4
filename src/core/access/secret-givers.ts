// Secrets that are stored with a schedule or a bus route are kept only for whoever gave them. Others must
// give them again, so that nobody can send them elsewhere. (docs/decisions/0011-secrets.md)

import { AppError } from "../../domain/errors.ts";
import { type Withhold, withholder } from "../../domain/payload/payload-secrets.ts";
import type { SecretsGiven } from "../../domain/secrecy.ts";
import { listSchemasOfAction } from "../../store/tables/service-actions.ts";
import type { Lookups, Reading } from "../lookups.ts";
import { userBehind } from "./api-keys.ts";

/**
 * The user, or the user of the API key. A key without a user counts by itself. All who open the database
 * itself count as one, because they can read the secrets in it.
 */
export function giverOf({ ctx, db, once }: Lookups): Promise<string> {
  return once("giver", async () => {
    const { principal } = ctx;
    const own = principal.kind === "apiKey" ? principal.keyId : "local";
    return (await userBehind(ctx, db)) ?? own;
  });
}

/** What is stored about an edit in which `gives` says whether it contains new secrets. */
export function givenAfter<Given extends SecretsGiven>(
  edit: { withheld: readonly string[]; gives: boolean },
  before: { secretsGiven: Given | null } | null,
  now: Given,
): Given | null {
  if (edit.withheld.length === 0) return null;
  return edit.gives ? now : (before?.secretsGiven ?? null);
}

/** Throws PAYLOAD_NEEDS_SECRETS with the JSON Pointers to what is still redacted. */
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
 * Splits payloads of an action by the schemas of all services that declare it. Reading them can take
 * longer than other writes should wait, so do it before a transaction.
 */
export function withholderOf({ db, once }: Reading, action: string): Promise<Withhold> {
  return once(`secrets of ${action}`, async () =>
    withholder(await listSchemasOfAction(db, action, mostSchemas)),
  );
}

/**
 * For the audit trail, which cannot be changed later: while no service declares the action, any value
 * of the payload could be a secret.
 */
export function trailWithholderOf({ db, once }: Reading, action: string): Promise<Withhold> {
  return once(`secrets of ${action} in the trail`, async () => {
    const schemas = await listSchemasOfAction(db, action, mostSchemas);
    return withholder(schemas.length > 0 ? schemas : [{ writeOnly: true }]);
  });
}

/** Services of one kind declare the same schema, so there are few. */
const mostSchemas = 100;
