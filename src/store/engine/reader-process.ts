// The other side of reader-pool.ts: answers read requests in a process of its own.
// (docs/decisions/0021-reader-processes.md)

import type { ReadRequest, ReadResponse } from "../../domain/storage/reader-process.ts";
import { openReader } from "./sqlite-file.ts";
import { Statements } from "./statements.ts";

/** How long a read waits for a lock, in milliseconds. Reads never wait for writers. */
const busyTimeoutMs = 2000;

/** Opens the file and returns the function that answers requests. Throws if it cannot be opened. */
export function openReaderProcess(file: string): (request: ReadRequest) => ReadResponse {
  const statements = new Statements(openReader(file, busyTimeoutMs));
  return ({ id, sql, params, first }) => {
    try {
      const statement = statements.of(sql);
      if (!first) return { id, rows: statement.all(...params) };
      const row = statement.get(...params);
      return { id, rows: row === undefined ? [] : [row] };
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      return { id, failure: { message, code: typeof code === "string" ? code : null } };
    }
  };
}
