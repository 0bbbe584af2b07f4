import type { ApiKey, ApiKeyStatus, NewApiKey } from "../../../domain/access/api-keys.ts";
import type { Reader, SqlValue, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { deleter, finder, idsBefore, inserter, listFinder, pageOf } from "../../rows.ts";
import { run } from "../../sql-tag.ts";

/** Includes the current names and status of the user that a key belongs to. */
const columns = `k.id, k.name, k.role, k.user_id AS "userId", k.maker_id AS "makerId", k.created_by AS "createdBy",
    k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
    k.last_used_at AS "lastUsedAt", u.username, u.display_name AS "displayName",
    u.status AS "userStatus"`;
const source = "api_keys k LEFT JOIN users u ON u.id = k.user_id";
const select = `SELECT ${columns} FROM ${source}`;

/** Finds API keys by the hashes of their texts. */
export const findApiKeysByHash = listFinder(
  (places) =>
    `SELECT k.key_hash AS "key", ${columns} FROM ${source} WHERE k.key_hash IN (${places})`,
  (apiKey: ApiKey) => apiKey,
);

export const findApiKey = finder<ApiKey>(`${select} WHERE k.id = ?`);

interface ApiKeyFilter extends Page {
  status?: readonly ApiKeyStatus[] | undefined;
  userId?: string | undefined;
  makerId?: string | undefined;
}

/** The newest keys come first. A key that has expired by `now` counts as EXPIRED. */
export function listApiKeys(
  db: Reader,
  filter: ApiKeyFilter,
  now: number,
): Promise<Listed<ApiKey>> {
  const filters = new Filters()
    .anyOf(filter.status?.map((status) => conditionOf(status, now)))
    .add("k.user_id = ?", filter.userId)
    .add("k.maker_id = ?", filter.makerId);
  const toKey = (row: ApiKey) => row;
  return pageOf(db, [columns, source, "k.id", "api_keys k"], filters, filter, toKey, sorts);
}

const sorts: Sorts = {
  name: "k.name",
  role: "k.role",
  expiresAt: ["k.expires_at"],
  lastUsedAt: ["k.last_used_at"],
  createdAt: "k.id",
};

function conditionOf(status: ApiKeyStatus, now: number): [string, ...SqlValue[]] {
  switch (status) {
    case "ACTIVE":
      return ["k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)", now];
    case "EXPIRED":
      return ["k.revoked_at IS NULL AND k.expires_at <= ?", now];
    case "REVOKED":
      return ["k.revoked_at IS NOT NULL"];
  }
}

/**
 * Lists the unrevoked keys that a user owns or has created, including expired ones, oldest first.
 */
export async function listUnrevokedKeysOf(db: Reader, userId: string): Promise<ApiKey[]> {
  return db.all<ApiKey>(
    `${select} WHERE (k.user_id = ? OR k.maker_id = ?) AND k.revoked_at IS NULL ORDER BY k.id`,
    userId,
    userId,
  );
}

const insert = inserter("api_keys", [
  "id name role key_hash user_id maker_id created_by created_at expires_at",
]);

export async function insertApiKey(tx: Tx, key: NewApiKey, keyHash: string): Promise<void> {
  await insert(tx, { ...key, keyHash });
}

/** Returns false if the key was already revoked. */
export async function revokeApiKey(tx: Tx, id: string): Promise<boolean> {
  const changed = await run(tx)`UPDATE api_keys SET revoked_at = ${tx.now} WHERE id = ${id}
     AND revoked_at IS NULL`;
  return changed === 1;
}

/** Returns false if the key did not exist. The key must be inactive. */
export const deleteApiKey = deleter("api_keys");

/** Lists revoked and expired keys, in the order in which they ended. */
export const listEndedKeyIds = idsBefore(
  `SELECT id FROM api_keys WHERE COALESCE(revoked_at, expires_at) < ?
     ORDER BY COALESCE(revoked_at, expires_at) LIMIT ?`,
);

export async function noteKeyUse(tx: Tx, id: string, at: number): Promise<void> {
  await run(tx)`UPDATE api_keys SET last_used_at = ${at} WHERE id = ${id}`;
}
