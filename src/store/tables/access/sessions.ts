import type { Role } from "../../../domain/access/principals.ts";
import type { Reader, Tx } from "../../database.ts";
import { deleter, finder, inserter } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";

export interface Session {
  id: string;
  userId: string;
  username: string;
  role: Role;
  lastUsedAt: number;
  expiresAt: number;
  endsAt: number;
}

/** Includes expired sessions, but not those of inactive users. */
export const findSession = finder<Session>(
  `SELECT s.id, s.user_id AS "userId", u.username, u.role, s.last_used_at AS "lastUsedAt",
       s.expires_at AS "expiresAt", s.ends_at AS "endsAt"
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.secret_hash = ? AND u.status = 'ACTIVE'`,
);

export const findSessionById = finder<{ expiresAt: number }>(
  `SELECT expires_at AS "expiresAt" FROM sessions WHERE id = ?`,
);

/** Returns null if the session was deleted or its user is not active. */
export const findSessionStanding = finder<Pick<Session, "role" | "expiresAt" | "endsAt">>(
  `SELECT u.role, s.expires_at AS "expiresAt", s.ends_at AS "endsAt"
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id = ? AND u.status = 'ACTIVE'`,
);

/** A session as its user sees it. Times are in Unix milliseconds. */
interface ListedSession {
  id: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  ip: string | null;
  userAgent: string | null;
}

/** Omits sessions that have ended by `now`. The most recently used ones come first. */
export async function listSessionsOf(
  db: Reader,
  userId: string,
  now: number,
): Promise<ListedSession[]> {
  return all(db)<ListedSession>`SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt",
       CASE WHEN expires_at < ends_at THEN expires_at ELSE ends_at END AS "expiresAt", ip,
       user_agent AS "userAgent"
     FROM sessions WHERE user_id = ${userId} AND expires_at > ${now} AND ends_at > ${now}
     ORDER BY last_used_at DESC, id DESC`;
}

const insert = inserter("sessions", [
  "id user_id secret_hash created_at last_used_at expires_at ends_at ip user_agent",
]);

export async function insertSession(
  tx: Tx,
  session: Pick<Session, "id" | "userId" | "expiresAt" | "endsAt"> &
    Pick<ListedSession, "ip" | "userAgent"> & { secretHash: string },
): Promise<void> {
  await insert(tx, { ...session, createdAt: tx.now, lastUsedAt: tx.now });
}

export async function slideSession(tx: Tx, id: string, expiresAt: number): Promise<void> {
  await run(tx)`UPDATE sessions SET last_used_at = ${tx.now}, expires_at = ${expiresAt}
     WHERE id = ${id}`;
}

export const deleteSession = deleter("sessions");

/** Deletes all sessions of the user except `keptId`, and returns how many. */
export async function deleteSessionsOf(
  tx: Tx,
  userId: string,
  keptId: string | null = null,
): Promise<number> {
  return run(tx)`DELETE FROM sessions WHERE user_id = ${userId} AND id IS DISTINCT FROM ${keptId}`;
}

/** Returns false if no session of this user has this id. */
export async function deleteSessionOf(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (await run(tx)`DELETE FROM sessions WHERE user_id = ${userId} AND id = ${id}`) === 1;
}

/** Deletes up to `limit` sessions, and returns how many. */
export function deleteExpiredSessions(tx: Tx, now: number, limit: number): Promise<number> {
  return run(tx)`DELETE FROM sessions WHERE id IN
     (SELECT id FROM sessions WHERE expires_at <= ${now} LIMIT ${limit})`;
}
