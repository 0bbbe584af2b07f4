// Digests of what is approved. They are keyed, because a secret in a payload could otherwise be
// guessed from the digest.

import { createHmac, hash, hkdfSync } from "node:crypto";
import type { ApprovalKind } from "../../domain/approvals/approvals.ts";
import type { ActionEntry } from "../../domain/services.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Core } from "../context.ts";

/** `content` has the secrets. `parts` are added one by one, because there can be thousands. */
export function digestOf(
  { auditKey }: Pick<Core, "auditKey">,
  kind: ApprovalKind,
  content: object,
  parts: Iterable<object> = [],
): string {
  const key = Buffer.from(hkdfSync("sha256", auditKey, "", "approval digests", 32));
  const hmac = createHmac("sha256", key);
  hmac.update(canonicalJson({ kind, content }));
  for (const part of parts) hmac.update(`\n${canonicalJson(part)}`);
  return hmac.digest("hex");
}

/**
 * The part of a declared action that decides what runs, and what an approver has read. Only these
 * fields: entries of lists can have more.
 */
export function declarationOf(action: ActionEntry) {
  const { name, label, description, dangerLevel, requiresConfirmation, prepare } = action;
  const { timeoutSeconds = null, inputSchema } = action;
  return {
    ...{ name, label, description, dangerLevel, requiresConfirmation, timeoutSeconds },
    ...{ prepare, inputSchema },
  };
}

/** Identifies what an agent has declared of an action, to see later whether it still declares the same. */
export function declarationHash(action: ActionEntry): string {
  return hash("sha256", canonicalJson(declarationOf(action)));
}
