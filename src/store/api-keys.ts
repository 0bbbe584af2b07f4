// API keys: hashes only.

import type { Role } from "../domain/principals.ts";
import type { Reader, Tx } from "./database.ts";
import { type Listed, limitOf, type Page } from "./filters.ts";

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

const columns = `id, name, role, created_by AS "createdBy", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;

export async function findApiKeyByHash(db: Reader, hash: string): Promise<ApiKey | null> {
  const row = await db.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE key_hash = ?`, hash);
  return row ?? null;
}

export async function findApiKey(db: Reader, id: string): Promise<ApiKey | null> {
  return (await db.get<ApiKey>(`SELECT ${columns} FROM api_keys WHERE id = ?`, id)) ?? null;
}

export async function listApiKeys(db: Reader, page: Page): Promise<Listed<ApiKey>> {
  const items = await db.all<ApiKey>(
    `SELECT ${columns} FROM api_keys ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...limitOf(page),
  );
  const count = await db.get<{ total: number }>(`SELECT COUNT(*) AS "total" FROM api_keys`);
  return { items, total: count?.total ?? 0 };
}

export async function insertApiKey(tx: Tx, key: ApiKey, hash: string): Promise<void> {
  await tx.run(
    `INSERT INTO api_keys (id, name, role, key_hash, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    key.id,
    key.name,
    key.role,
    hash,
    key.createdBy,
    key.createdAt,
    key.expiresAt,
  );
}

/** Answers whether it was not revoked before. */
export async function revokeApiKey(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(
    "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
    tx.now,
    id,
  );
  return changed === 1;
}

export async function noteKeyUse(tx: Tx, id: string, at: number): Promise<void> {
  await tx.run("UPDATE api_keys SET last_used_at = ? WHERE id = ?", at, id);
}
