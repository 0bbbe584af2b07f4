import type { OpenedReader, Reader, SqlValue } from "../../database.ts";
import { addressOf } from "./connection/address.ts";
import { refusal } from "./connection/refusals.ts";
import { Session } from "./connection/session.ts";

/** Reading a whole table can take a long time. */
const limits = { statement: 60_000, lock: 60_000, idleInTransaction: 0, connect: 5000 };

/** Uses one connection. Throws AppError UNAVAILABLE. */
export async function openPostgresReader(url: string): Promise<OpenedReader> {
  const address = addressOf(url);
  try {
    const session = await Session.open(address, { limits, isReadOnly: true });
    return { read: readerOf(session), close: () => session.end() };
  } catch (error) {
    throw refusal(address, error);
  }
}

export function readerOf(session: Session): Reader {
  return {
    get: async <Row>(sql: string, ...params: SqlValue[]) =>
      (await session.query(sql, params)).rows[0] as Row | undefined,
    all: async <Row>(sql: string, ...params: SqlValue[]) =>
      (await session.query(sql, params)).rows as Row[],
  };
}
