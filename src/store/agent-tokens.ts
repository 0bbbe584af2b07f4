// Agents' tokens: hashes only. At most one is active for an agent.

import type { AgentStatus } from "../domain/agents.ts";
import type { Reader, Tx } from "./database.ts";

/** What a call with this token is checked against. */
export interface AgentTokenState {
  tokenId: string;
  revoked: boolean;
  agentId: string;
  agentCode: string;
  agentStatus: AgentStatus;
}

type TokenRow = Omit<AgentTokenState, "revoked"> & { revokedAt: number | null };

const selectState = `SELECT t.id AS "tokenId", t.revoked_at AS "revokedAt", a.id AS "agentId",
  a.code AS "agentCode", a.status AS "agentStatus"
  FROM agent_tokens t JOIN agents a ON a.id = t.agent_id`;

export async function findAgentToken(db: Reader, hash: string): Promise<AgentTokenState | null> {
  return toState(await db.get<TokenRow>(`${selectState} WHERE t.token_hash = ?`, hash));
}

export async function findAgentTokenById(db: Reader, id: string): Promise<AgentTokenState | null> {
  return toState(await db.get<TokenRow>(`${selectState} WHERE t.id = ?`, id));
}

function toState(row: TokenRow | undefined): AgentTokenState | null {
  if (!row) return null;
  const { revokedAt, ...state } = row;
  return { ...state, revoked: revokedAt !== null };
}

export async function findActiveToken(
  db: Reader,
  agentId: string,
): Promise<{ id: string; createdAt: number } | null> {
  const row = await db.get<{ id: string; createdAt: number }>(
    `SELECT id, created_at AS "createdAt" FROM agent_tokens
     WHERE agent_id = ? AND revoked_at IS NULL`,
    agentId,
  );
  return row ?? null;
}

export async function insertAgentToken(
  tx: Tx,
  token: { id: string; agentId: string; hash: string; registrationTokenId: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO agent_tokens (id, agent_id, token_hash, registration_token_id, created_at)
     VALUES (?, ?, ?, ?, ?)`,
    token.id,
    token.agentId,
    token.hash,
    token.registrationTokenId,
    tx.now,
  );
}

/** Answers how many tokens were active and are not any more. */
export async function revokeAgentTokens(
  tx: Tx,
  agentId: string,
  reason: "ROTATED" | "REVOKED",
): Promise<number> {
  return tx.run(
    `UPDATE agent_tokens SET revoked_at = ?, revoked_reason = ?
     WHERE agent_id = ? AND revoked_at IS NULL`,
    tx.now,
    reason,
    agentId,
  );
}

/** Agents whose calls are refused: disabled, or without an active token. */
export async function listRefusedAgentIds(db: Reader): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `SELECT a.id FROM agents a WHERE a.status = 'DISABLED'
     UNION
     SELECT a.id FROM agents a WHERE NOT EXISTS (
       SELECT 1 FROM agent_tokens t WHERE t.agent_id = a.id AND t.revoked_at IS NULL)`,
  );
  return rows.map((row) => row.id);
}
