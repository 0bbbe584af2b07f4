// Digests of what is approved. They are keyed, because a secret in a payload could otherwise be
// guessed from the digest.

import { createHmac, hash } from "node:crypto";
import type { Approval, ApprovalKind } from "../../domain/approvals/approvals.ts";
import type { ActionEntry } from "../../domain/fleet/services.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Core } from "../context.ts";
import { derivedKey } from "../secrets/derived-key.ts";

/** `content` includes the secrets. `parts` are added one by one, because there can be thousands. */
export function digestOf(
  { auditKey }: Pick<Core, "auditKey">,
  kind: ApprovalKind,
  content: object,
  parts: Iterable<object> = [],
): string {
  const hmac = createHmac("sha256", derivedKey(auditKey, "approval digests"));
  hmac.update(canonicalJson({ kind, content }));
  for (const part of parts) hmac.update(`\n${canonicalJson(part)}`);
  return hmac.digest("hex");
}

/**
 * The digest that approvers see and send back. It is different for each request. Otherwise,
 * somebody could guess the secrets of a request by making the same request with a guess.
 */
export function shownDigest(
  { auditKey }: Pick<Core, "auditKey">,
  { id, digest }: Pick<Approval, "id" | "digest">,
): string {
  const key = derivedKey(auditKey, "shown approval digests", id);
  return createHmac("sha256", key).update(digest).digest("hex");
}

/**
 * Returns the fields of a declared action that decide what runs or that approvers read. Actions can
 * have more fields, which must not change a digest.
 */
export function declarationOf(action: ActionEntry) {
  const { name, label, description, dangerLevel, requiresConfirmation, prepare } = action;
  const { timeoutSeconds = null, inputSchema } = action;
  return {
    name,
    label,
    description,
    dangerLevel,
    requiresConfirmation,
    timeoutSeconds,
    prepare,
    inputSchema,
  };
}

/** Returns a hash that changes when the agent's declaration of the action does. */
export function declarationHash(action: ActionEntry): string {
  return hash("sha256", canonicalJson(declarationOf(action)));
}
