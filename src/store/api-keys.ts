// API keys: hashes only.

import type { Role } from "../domain/principals.ts";
import type { Reader, Tx } from "./database.ts";

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
}

export async function findApiKeyByHash(db: Reader, hash: string): Promise<ApiKey | null> {
  const row = await db.get<ApiKey>(
    `SELECT id, name, role, created_by AS "createdBy", created_at AS "createdAt",
       expires_at AS "expiresAt", revoked_at AS "revokedAt"
     FROM api_keys WHERE key_hash = ?`,
    hash,
  );
  return row ?? null;
}

/** What a key is worth; null when there is none. */
export async function findApiKeyStanding(
  db: Reader,
  id: string,
): Promise<Pick<ApiKey, "role" | "expiresAt" | "revokedAt"> | null> {
  const row = await db.get<Pick<ApiKey, "role" | "expiresAt" | "revokedAt">>(
    `SELECT role, expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM api_keys WHERE id = ?`,
    id,
  );
  return row ?? null;
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
