// Each process stores the number of its last group of writes in the database, in the group's own
// transaction. After a connection is lost during COMMIT, another connection can therefore find out
// whether the group was committed, even on a replica that has become the primary in the meantime.

import type { Session, Statement } from "../connection/session.ts";
import { channel, type GroupNotice, payloadOf } from "../notices.ts";

export const createWriteGroups = `CREATE TABLE IF NOT EXISTS write_groups (
  node TEXT COLLATE "C" PRIMARY KEY,
  last_group BIGINT NOT NULL,
  committed_at BIGINT NOT NULL
)`;

const note = `INSERT INTO write_groups (node, last_group, committed_at)
  VALUES (?, ?, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (node) DO UPDATE
  SET last_group = excluded.last_group, committed_at = excluded.committed_at`;

/**
 * Commits a group's transaction with its number. Notifies the other processes if the group concerns
 * anything that they remember.
 */
export async function noteGroup(
  session: Session,
  { node, group, keys }: GroupNotice & { keys: string[] },
): Promise<void> {
  const notify: Statement = [`SELECT pg_notify('${channel}', ?)`, payloadOf(node, group, keys)];
  const results = await session.batch([
    [note, node, group],
    ...(keys.length === 0 ? [] : [notify]),
    "COMMIT",
  ]);
  if (results.at(-1)?.command !== "COMMIT") throw new Error("PostgreSQL rolled the group back");
}

/** Whether the group was committed. Call this while holding the write lock. */
export async function wasCommitted(
  session: Session,
  node: string,
  group: number,
): Promise<boolean> {
  const sql = "SELECT 1 FROM write_groups WHERE node = ? AND last_group = ?";
  return (await session.query(sql, [node, group])).rows.length > 0;
}

/** Removes the rows of processes that have written nothing for a month. */
export async function forgetOldNodes(session: Session): Promise<void> {
  await session.query(
    `DELETE FROM write_groups
     WHERE committed_at < floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - ?`,
    [30 * 24 * 3600 * 1000],
  );
}
