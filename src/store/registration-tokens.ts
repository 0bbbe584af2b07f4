// Registration tokens: hashes only.

import type { RegistrationToken } from "../domain/registration-tokens.ts";
import type { Reader, Tx } from "./database.ts";

const columns = `id, name, status, created_by AS "createdBy", created_at AS "createdAt",
  expires_at AS "expiresAt", used_at AS "usedAt", used_by_agent_id AS "usedByAgentId",
  revoked_at AS "revokedAt"`;

export async function findRegistrationTokenByHash(
  db: Reader,
  hash: string,
): Promise<RegistrationToken | null> {
  const row = await db.get<RegistrationToken>(
    `SELECT ${columns} FROM registration_tokens WHERE token_hash = ?`,
    hash,
  );
  return row ?? null;
}

export async function insertRegistrationToken(
  tx: Tx,
  token: RegistrationToken,
  hash: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO registration_tokens (id, name, token_hash, status, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    token.id,
    token.name,
    hash,
    token.status,
    token.createdBy,
    token.createdAt,
    token.expiresAt,
  );
}

/** Answers whether the token was ACTIVE and is used up now. */
export async function consumeRegistrationToken(
  tx: Tx,
  id: string,
  agentId: string,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE registration_tokens SET status = 'USED', used_at = ?, used_by_agent_id = ?
     WHERE id = ? AND status = 'ACTIVE'`,
    tx.now,
    agentId,
    id,
  );
  return changed === 1;
}

/** Answers how many ACTIVE tokens were past their time. */
export async function expireRegistrationTokens(tx: Tx): Promise<number> {
  return tx.run(
    "UPDATE registration_tokens SET status = 'EXPIRED' WHERE status = 'ACTIVE' AND expires_at <= ?",
    tx.now,
  );
}
