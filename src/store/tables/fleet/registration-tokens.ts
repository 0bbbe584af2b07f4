import type {
  RegistrationToken,
  RegistrationTokenStatus,
} from "../../../domain/fleet/registration-tokens.ts";
import { toFlag } from "../../columns.ts";
import type { Reader, SqlValue, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { countOf, finder, idsBefore, inserter, pageOf } from "../../rows.ts";
import { run } from "../../sql-tag.ts";

type TokenRow = Omit<RegistrationToken, "replace" | "labels" | "ownerMade"> & {
  replace: number;
  labels: string;
  ownerMade: number;
};

const columns = `id, name, agent_code AS "agentCode", replaces_agent AS "replace", labels,
  owner_made AS "ownerMade", status, created_by AS "createdBy", created_at AS "createdAt",
  expires_at AS "expiresAt", used_at AS "usedAt", used_by_agent_id AS "usedByAgentId",
  (SELECT a.code FROM agents a WHERE a.id = used_by_agent_id) AS "usedByAgentCode",
  revoked_at AS "revokedAt"`;

export const findRegistrationTokenByHash = finder(
  `SELECT ${columns} FROM registration_tokens WHERE token_hash = ?`,
  toToken,
);

export const findRegistrationToken = finder(
  `SELECT ${columns} FROM registration_tokens WHERE id = ?`,
  toToken,
);

interface RegistrationTokenFilter extends Page {
  /** Matches any of these statuses. */
  status?: readonly RegistrationTokenStatus[] | undefined;
}

/** The newest tokens come first. Expired ones count as EXPIRED even before the sweep marks them. */
export async function listRegistrationTokens(
  db: Reader,
  filter: RegistrationTokenFilter,
  now: number,
): Promise<Listed<RegistrationToken>> {
  const filters = new Filters().anyOf(filter.status?.map((status) => conditionOf(status, now)));
  return pageOf(db, [columns, "registration_tokens", "id"], filters, filter, toToken, sorts);
}

const sorts: Sorts = {
  name: ["name"],
  expiresAt: ["expires_at"],
  createdAt: "id",
  usedAt: ["used_at"],
};

function conditionOf(status: RegistrationTokenStatus, now: number): [string, SqlValue] {
  switch (status) {
    case "ACTIVE":
      return ["status = 'ACTIVE' AND (expires_at IS NULL OR expires_at > ?)", now];
    case "EXPIRED":
      return ["(status = 'EXPIRED' OR (status = 'ACTIVE' AND expires_at <= ?))", now];
    default:
      return ["status = ?", status];
  }
}

const insert = inserter("registration_tokens", [
  "id name agent_code replaces_agent labels owner_made token_hash status created_by created_at expires_at",
]);

/** Counts the tokens that can still register an agent. */
export function countActiveTokens(db: Reader, now: number): Promise<number> {
  const filters = new Filters()
    .always("status = 'ACTIVE'")
    .always("(expires_at IS NULL OR expires_at > ?)", now);
  return countOf(db, "registration_tokens", filters);
}

export async function insertRegistrationToken(
  tx: Tx,
  token: RegistrationToken,
  tokenHash: string,
): Promise<void> {
  await insert(tx, {
    ...token,
    tokenHash,
    replacesAgent: toFlag(token.replace),
    labels: JSON.stringify(token.labels),
    ownerMade: toFlag(token.ownerMade),
  });
}

/** The token must be ACTIVE. */
export async function consumeRegistrationToken(tx: Tx, id: string, agentId: string): Promise<void> {
  await run(tx)`UPDATE registration_tokens SET status = 'USED', used_at = ${tx.now},
     used_by_agent_id = ${agentId} WHERE id = ${id}`;
}

/** Returns false if the token was already revoked. */
export async function revokeRegistrationToken(tx: Tx, id: string): Promise<boolean> {
  const changed = await run(tx)`UPDATE registration_tokens SET status = 'REVOKED',
     revoked_at = ${tx.now} WHERE id = ${id} AND status <> 'REVOKED'`;
  return changed === 1;
}

/** Agent tokens that were issued for the token stay valid. */
export async function deleteRegistrationToken(tx: Tx, id: string): Promise<void> {
  await run(tx)`UPDATE agent_tokens SET registration_token_id = NULL
     WHERE registration_token_id = ${id}`;
  await run(tx)`DELETE FROM registration_tokens WHERE id = ${id}`;
}

/** Expires up to `limit` tokens, and returns how many. */
export function expireRegistrationTokens(tx: Tx, now: number, limit: number): Promise<number> {
  return run(tx)`UPDATE registration_tokens SET status = 'EXPIRED' WHERE id IN
     (SELECT id FROM registration_tokens WHERE status = 'ACTIVE' AND expires_at <= ${now}
      LIMIT ${limit})`;
}

/** Lists used, revoked and expired tokens, in the order in which they ended. */
export const listEndedRegistrationTokenIds = idsBefore(
  `SELECT id FROM registration_tokens
     WHERE status <> 'ACTIVE' AND COALESCE(revoked_at, used_at, expires_at) < ?
     ORDER BY COALESCE(revoked_at, used_at, expires_at) LIMIT ?`,
);

function toToken(row: TokenRow): RegistrationToken {
  return {
    ...row,
    replace: row.replace === 1,
    labels: JSON.parse(row.labels),
    ownerMade: row.ownerMade === 1,
  };
}
