// The other side of reader-pool.ts: answers read requests in a process of its own.
// (docs/decisions/0021-reader-processes.md)

import type {
  CheckpointRequest,
  ReadRequest,
  ReadResponse,
  StatementRequest,
} from "../../../domain/storage/reader-process.ts";
import { textOfRows } from "../../row-texts.ts";
import { openCheckpointer, openReader, type SqliteConnection } from "./file.ts";
import { Statements } from "./statements.ts";

/** How long a read waits for a lock, in milliseconds. Reads never wait for writers. */
const busyTimeoutMs = 2000;
/** How long a truncation waits for readers. Meanwhile, no process can write. */
const truncationMs = 200;

/** Opens the file and returns the function that answers requests. Throws if it cannot be opened. */
export function openReaderProcess(file: string): (request: ReadRequest) => ReadResponse {
  const statements = new Statements(openReader(file, busyTimeoutMs));
  let writer: SqliteConnection | null = null;

  function read({ sql, params, form }: StatementRequest): unknown[] {
    const statement = statements.of(sql);
    if (form === "first") {
      const row = statement.get(...params);
      return row === undefined ? [] : [row];
    }
    const rows = statement.all(...params);
    return form === "all" ? rows : [textOfRows(form, rows)];
  }

  function checkpoint(kind: CheckpointRequest["checkpoint"]): [] {
    writer ??= openCheckpointer(file, truncationMs);
    writer.pragma(`wal_checkpoint(${kind})`);
    return [];
  }

  return (request) => {
    const { id } = request;
    try {
      return { id, rows: "checkpoint" in request ? checkpoint(request.checkpoint) : read(request) };
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      return { id, failure: { message, code: typeof code === "string" ? code : null } };
    }
  };
}
