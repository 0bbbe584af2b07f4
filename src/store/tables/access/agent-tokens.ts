// Stores the hashes of agents' tokens. An agent has at most one active token.

import type { AgentFeature, AgentStatus } from "../../../domain/fleet/agents.ts";
import type { Reader, Tx } from "../../database.ts";
import { deleter, finder, idsBefore, idsOf, inserter, listFinder } from "../../rows.ts";
import { run } from "../../sql-tag.ts";

/** These facts decide whether a call with the token is accepted. */
export interface AgentTokenState {
  tokenId: string;
  revoked: boolean;
  agentId: string;
  agentCode: string;
  agentStatus: AgentStatus;
  agentFeatures: AgentFeature[];
}

type TokenRow = Omit<AgentTokenState, "revoked" | "agentFeatures"> & {
  revokedAt: number | null;
  agentFeatures: string;
};

const columns = `t.id AS "tokenId", t.revoked_at AS "revokedAt", a.id AS "agentId",
    a.code AS "agentCode", a.status AS "agentStatus",
    a.features AS "agentFeatures"`;
const withAgent = `SELECT ${columns} FROM agent_tokens t JOIN agents a ON a.id = t.agent_id`;

/** Finds agent tokens by their hashes. */
export const findAgentTokens = tokensBy("token_hash");

export const findAgentTokensById = tokensBy("id");

function tokensBy(column: "id" | "token_hash") {
  return listFinder(
    (places) => `SELECT t.${column} AS "key", ${columns}
      FROM agent_tokens t JOIN agents a ON a.id = t.agent_id WHERE t.${column} IN (${places})`,
    toState,
  );
}

export const findAgentTokenById = finder(`${withAgent} WHERE t.id = ?`, toState);

function toState({ revokedAt, agentFeatures, ...row }: TokenRow): AgentTokenState {
  return { ...row, revoked: revokedAt !== null, agentFeatures: JSON.parse(agentFeatures) };
}

/** Takes the id of the agent. */
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
