// Stores the hashes of agents' tokens. An agent has at most one active token.

import type { AgentStatus } from "../../domain/agents.ts";
import type { Reader, Tx } from "../database.ts";
import { deleter, finder, idsBefore, idsOf, inserter } from "../rows.ts";
import { get, run } from "../sql.ts";

/** These facts decide whether a call with the token is accepted. */
export interface AgentTokenState {
  tokenId: string;
  revoked: boolean;
  agentId: string;
  agentCode: string;
  agentStatus: AgentStatus;
}

interface TokenRow {
  tokenId: string;
  agentId: string;
  revokedAt: number | null;
}

const columns = `id AS "tokenId", agent_id AS "agentId", revoked_at AS "revokedAt"`;

export async function findAgentToken(db: Reader, hash: string): Promise<AgentTokenState | null> {
  return withAgent(
    db,
    await db.get<TokenRow>(`SELECT ${columns} FROM agent_tokens WHERE token_hash = ?`, hash),
  );
}

export async function findAgentTokenById(db: Reader, id: string): Promise<AgentTokenState | null> {
  return withAgent(
    db,
    await db.get<TokenRow>(`SELECT ${columns} FROM agent_tokens WHERE id = ?`, id),
  );
}

/** Two queries take a quarter of the time of a join, and every write of an agent needs them. */
async function withAgent(db: Reader, token: TokenRow | undefined): Promise<AgentTokenState | null> {
  if (!token) return null;
  const { tokenId, agentId, revokedAt } = token;
  const agent = await get(db)<{ code: string; status: AgentStatus }>`SELECT code, status
     FROM agents WHERE id = ${agentId}`;
  if (!agent) return null;
  const { code: agentCode, status: agentStatus } = agent;
  return { tokenId, revoked: revokedAt !== null, agentId, agentCode, agentStatus };
}

/** The key is the agent's id. */
export const findActiveToken = finder<{ id: string; createdAt: number; hash: string }>(
  `SELECT id, created_at AS "createdAt", token_hash AS "hash" FROM agent_tokens
     WHERE agent_id = ? AND revoked_at IS NULL`,
);

const insert = inserter("agent_tokens", [
  "id agent_id token_hash registration_token_id created_at",
]);

export async function insertAgentToken(
  tx: Tx,
  token: { id: string; agentId: string; hash: string; registrationTokenId: string },
): Promise<void> {
  await insert(tx, { ...token, tokenHash: token.hash, createdAt: tx.now });
}

/** Returns how many active tokens there were. */
export async function revokeAgentTokens(
  tx: Tx,
  agentId: string,
  reason: "ROTATED" | "REVOKED",
): Promise<number> {
  return run(tx)`UPDATE agent_tokens SET revoked_at = ${tx.now}, revoked_reason = ${reason}
     WHERE agent_id = ${agentId} AND revoked_at IS NULL`;
}

/** Lists revoked tokens whose agent has received a newer one, the earliest revocation first. */
export const listReplacedTokenIds = idsBefore(
  `SELECT t.id FROM agent_tokens t WHERE t.revoked_at < ? AND EXISTS (
       SELECT 1 FROM agent_tokens n WHERE n.agent_id = t.agent_id AND n.id > t.id)
     ORDER BY t.revoked_at LIMIT ?`,
);

export const deleteAgentToken = deleter("agent_tokens");

/** Lists disabled agents and agents without an active token. */
export async function listRefusedAgentIds(db: Reader): Promise<string[]> {
  return idsOf(
    db,
    `SELECT a.id FROM agents a WHERE a.status = 'DISABLED'
     UNION
     SELECT a.id FROM agents a WHERE NOT EXISTS (
       SELECT 1 FROM agent_tokens t WHERE t.agent_id = a.id AND t.revoked_at IS NULL)`,
  );
}
