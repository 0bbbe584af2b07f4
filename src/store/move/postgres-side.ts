// What a source and a target on PostgreSQL have in common: one connection without time limits.

import type { PostgresAddress } from "../engine/postgresql/address.ts";
import { refuseUnsuitable } from "../engine/postgresql/open.ts";
import { refuseTransactionPooler } from "../engine/postgresql/pooler.ts";
import { Session } from "../engine/postgresql/session.ts";
import { selectTexts, type TableLayout } from "./layout.ts";
import type { RowTexts } from "./row-lines.ts";

/** A row can have a megabyte, so few are fetched at once. */
const batchRows = 100;

/** `lock`: how long to wait for processes that write. */
const limits = { statement: 0, lock: 10_000, idleInTransaction: 0, connect: 5000 };

/** An abort closes the connection, so that everything fails that waits for the database. */
export async function connectForMove(
  address: PostgresAddress,
  signal: AbortSignal,
): Promise<Session> {
  const connect = () =>
    Session.open(address, { limits, isDurable: true, settings: { idle_session_timeout: "0" } });
  const session = await connect();
  const interrupt = () => session.destroy();
  signal.addEventListener("abort", interrupt);
  session.onLost(() => signal.removeEventListener("abort", interrupt));
  try {
    signal.throwIfAborted();
    await refuseTransactionPooler(session, connect);
    await refuseUnsuitable(session);
    return session;
  } catch (error) {
    await session.end();
    throw error;
  }
}

/** In a transaction. */
export async function* postgresRows(
  session: Session,
  table: TableLayout,
): AsyncGenerator<RowTexts[]> {
  // A session describes a statement once, so each table needs its own.
  const cursor = `rows_of_${table.name}`;
  await session.execute(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectTexts(table)}`);
  while (true) {
    const { rows } = await session.query(`FETCH ${batchRows} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield rows.map((row) => table.columns.map(({ name }) => row[name] as string | null));
  }
  await session.execute(`CLOSE ${cursor}`);
}
