// Detects a pooler that gives each transaction a different connection, such as PgBouncer in
// transaction mode. Session settings, notifications and session locks do not work with it.

import type { Session } from "./session.ts";

export function poolerInTransactionMode(): Error {
  return new Error(
    "it is behind a pooler in transaction mode, such as PgBouncer's pool_mode = transaction: " +
      "connect to PostgreSQL directly, or use session mode",
  );
}

/** Throws if the connection leads to such a pooler. `connect` opens another connection like it. */
export async function refuseTransactionPooler(
  session: Session,
  connect: () => Promise<Session>,
): Promise<void> {
  const other = await connect();
  try {
    if (await sharesSessions(session, other)) throw poolerInTransactionMode();
  } finally {
    other.destroy();
  }
}

/**
 * Returns whether two connections to the pooler share the server's connections. While `other` is in
 * a transaction, it keeps one of them. If they are shared, `other` has taken the connection that
 * `one` used before, or `one` now gets a different connection.
 */
async function sharesSessions(one: Session, other: Session): Promise<boolean> {
  const first = await pidOf(one);
  await other.execute("BEGIN");
  try {
    return (await pidOf(other)) === first || (await pidOf(one)) !== first;
  } finally {
    await other.execute("ROLLBACK");
  }
}

async function pidOf(session: Session): Promise<number> {
  // Such a pooler may not support prepared statements.
  return (await session.execute(`SELECT pg_backend_pid() AS "pid"`)).rows[0].pid;
}
