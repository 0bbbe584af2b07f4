// What a source and a target on PostgreSQL have in common: one connection without time limits.

import { MoveRefused } from "../../domain/storage/moves.ts";
import type { PostgresPlace } from "../../domain/storage/place.ts";
import { addressOf } from "../engine/postgresql/connection/address.ts";
import { refuseTransactionPooler } from "../engine/postgresql/connection/pooler.ts";
import { refusal } from "../engine/postgresql/connection/refusals.ts";
import { Session } from "../engine/postgresql/connection/session.ts";
import { refuseUnsuitable } from "../engine/postgresql/open.ts";
import { selectTexts, type TableLayout } from "./layout.ts";
import type { RowTexts } from "./row-lines.ts";

/** A row can take up a megabyte, so only a few are fetched at a time. */
const batchRows = 100;

/** `lock`: how long to wait for processes that write. */
const limits = { statement: 0, lock: 10_000, idleInTransaction: 0, connect: 5000 };

/**
 * Connects, and calls `begin`. The connection stays open unless `begin` fails. An abort closes it,
 * so that everything that waits for the database fails. Throws MoveRefused, or AppError
 * UNAVAILABLE.
 */
export async function openForMove<T>(
  { url }: PostgresPlace,
  signal: AbortSignal,
  begin: (session: Session) => Promise<T>,
): Promise<T> {
  const address = addressOf(url);
  const connect = () =>
    Session.open(address, { limits, isDurable: true, settings: { idle_session_timeout: "0" } });
  try {
    const session = await connect();
    const interrupt = () => session.destroy();
    signal.addEventListener("abort", interrupt);
    session.onLost(() => signal.removeEventListener("abort", interrupt));
    try {
      signal.throwIfAborted();
      await refuseTransactionPooler(session, connect);
      await refuseUnsuitable(session);
      return await begin(session);
    } catch (error) {
      await session.end();
      throw error;
    }
  } catch (error) {
    throw error instanceof MoveRefused ? error : refusal(address, error);
  }
}

/** Must be called in a transaction. */
export async function* postgresRows(
  session: Session,
  table: TableLayout,
): AsyncGenerator<RowTexts[]> {
  // A session remembers the columns of each statement, so each table needs a cursor with its own
  // name.
  const cursor = `rows_of_${table.name}`;
  await session.execute(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectTexts(table)}`);
  while (true) {
    const { rows } = await session.query(`FETCH ${batchRows} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield rows.map((row) => table.columns.map(({ name }) => row[name] as string | null));
  }
  await session.execute(`CLOSE ${cursor}`);
}
