// Deletes inactive registration tokens, agent tokens and API keys after `auditRetentionDays`.

import type { Reader } from "../../store/database.ts";
import { deleteAgentToken, listReplacedTokenIds } from "../../store/tables/access/agent-tokens.ts";
import { deleteApiKey, listEndedKeyIds } from "../../store/tables/access/api-keys.ts";
import {
  deleteRegistrationToken,
  listEndedRegistrationTokenIds,
} from "../../store/tables/fleet/registration-tokens.ts";
import type { Core } from "../context.ts";
import { inSlices } from "../short-transactions.ts";

const maxPerSweep = 50_000;

const kinds = [
  { listEnded: listReplacedTokenIds, remove: deleteAgentToken },
  { listEnded: listEndedRegistrationTokenIds, remove: deleteRegistrationToken },
  { listEnded: listEndedKeyIds, remove: deleteApiKey },
];

/**
 * `before` is in Unix milliseconds. The deletions are not audited: the credentials were unusable,
 * and the audit rows that name them are deleted at the same age.
 */
export async function pruneCredentials(core: Core, before: number): Promise<number> {
  let count = 0;
  for (const { listEnded, remove } of kinds) {
    const next = (db: Reader, limit: number) => listEnded(db, before, limit);
    count += await inSlices(core, maxPerSweep - count, next, remove);
  }
  return count;
}
