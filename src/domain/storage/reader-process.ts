// The messages between the server and a reader process, which reads the database for operators
// outside the event loop. (docs/decisions/0021-reader-processes.md)

/** The texts that store/row-texts.ts makes from rows. */
export type RowText =
  | "health-map"
  | "attention"
  | "attention-members"
  | "service-series"
  | "agent-series";

/** A statement and its parameters, in the form that store/database.ts passes to the engine. */
export interface StatementRequest {
  id: number;
  sql: string;
  params: (string | number | null)[];
  /**
   * The form of the result: all rows, only the first one, or a text of all rows as the only row.
   */
  form: "all" | "first" | RowText;
}

/**
 * Asks for the write-ahead log to be moved into the database file. TRUNCATE also empties the log's
 * file if no reader prevents this. The response has no rows.
 */
export interface CheckpointRequest {
  id: number;
  checkpoint: "PASSIVE" | "TRUNCATE";
}

export type ReadRequest = StatementRequest | CheckpointRequest;

export type ReadResponse =
  | { id: number; rows: unknown[] }
  /** `code` is SQLite's; null if the error has none. */
  | { id: number; failure: { message: string; code: string | null } };

export interface ReaderProcess {
  send(request: ReadRequest): void;
  /** Ends the process immediately. Its requests get no response. */
  kill(): void;
}

export interface ReaderEvents {
  onResponse(response: ReadResponse): void;
  /**
   * Called once, after the process has ended or could not be started, but never while it is being
   * started.
   */
  onEnd(reason: Error): void;
}

/**
 * Starts a reader process. It ends with the caller's process. Never throws. A `prompt` process has
 * the same priority as the caller's, because writes wait for it.
 */
export type StartReader = (
  file: string,
  events: ReaderEvents,
  priority?: "prompt",
) => ReaderProcess;
