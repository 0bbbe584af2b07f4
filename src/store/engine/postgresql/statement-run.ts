// Sends statements to PostgreSQL together, followed by one Sync. The server then writes all
// responses at once, and known statements are not described again. For small statements, this takes
// less than half of the time. After an error, the server skips the rest of the run.
//
// `pg` has one Query object per Sync, so a run is one that gets the responses of several
// statements.

import pg, { type Connection, type QueryResult } from "pg";
import type { SqlValue } from "../../database.ts";
import { isStalePlan } from "./losses.ts";
import { valueTypes } from "./values.ts";

export type Result = Pick<QueryResult, "rows" | "rowCount" | "command">;

interface Column {
  name: string;
  parse: (text: string) => SqlValue;
}

/** A statement as one connection's server knows it. */
export interface PreparedStatement {
  readonly text: string;
  /** Empty for a statement that the server forgets. */
  readonly name: string;
  isParsed: boolean;
  /**
   * Whether the server may not have the statement, although it was sent. If so, it needs a new
   * name.
   */
  isLost: boolean;
  /**
   * The columns of the result; null until the server has described them. The server refuses a
   * prepared statement if they change.
   */
  columns: Column[] | null;
}

type Row = Record<string, SqlValue>;

export interface SentStatement {
  statement: PreparedStatement;
  values: (string | null)[];
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** The messages that `pg` takes from PostgreSQL, as far as they are used here. */
interface RowDescription {
  fields: { name: string; dataTypeID: number; format: string }[];
}
interface DataRow {
  fields: (string | null)[];
}
interface CommandComplete {
  text: string;
}
/** `pg` declares a parameter that it does not have. */
interface Protocol {
  stream: { cork(): void; uncork(): void };
  parse(statement: { text: string; name: string }): void;
  bind(binding: { statement: string; values: (string | null)[] }): void;
  describe(portal: { type: "P"; name: string }): void;
  execute(portal: null): void;
  sync(): void;
}

export class StatementRun extends pg.Query {
  readonly #sent: readonly SentStatement[];
  /** The first statement that has no response yet. */
  #at = 0;
  /** The statements that this run parses, with the place of the first use. */
  readonly #parsed = new Map<PreparedStatement, number>();
  #rows: Row[] = [];
  #unreadable: Error | null = null;

  constructor(sent: readonly SentStatement[]) {
    super({ text: "" });
    this.#sent = sent;
    this.submit = (connection: Connection) => this.#submit(connection as unknown as Protocol);
  }

  #submit(connection: Protocol): null {
    connection.stream.cork();
    for (const [at, { statement, values }] of this.#sent.entries()) {
      const { text, name } = statement;
      if (!statement.isParsed) {
        connection.parse({ text, name });
        statement.isParsed = name !== "";
        this.#parsed.set(statement, at);
      }
      connection.bind({ statement: name, values });
      if (statement.columns === null || name === "") connection.describe({ type: "P", name: "" });
      connection.execute(null);
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: RowDescription): void {
    const columns = fields.map(({ name, dataTypeID }) => {
      return { name, parse: valueTypes.getTypeParser(dataTypeID, "text") as Column["parse"] };
    });
    const { statement } = this.#sent[this.#at] as SentStatement;
    statement.columns = columns;
  }

  handleDataRow({ fields }: DataRow): void {
    const { statement } = this.#sent[this.#at] as SentStatement;
    const columns = statement.columns ?? [];
    const row: Row = {};
    try {
      for (const [at, { name, parse }] of columns.entries()) {
        const text = fields[at] ?? null;
        row[name] = text === null ? null : parse(text);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#unreadable ??= error as Error;
    }
  }

  handleCommandComplete({ text }: CommandComplete): void {
    const { statement, resolve, reject } = this.#sent[this.#at++] as SentStatement;
    statement.columns ??= [];
    const rows = this.#rows;
    const problem = this.#unreadable;
    this.#rows = [];
    this.#unreadable = null;
    if (problem) reject(problem);
    else resolve({ rows, ...parsedTag(text) });
  }

  /**
   * Handles the error of one statement or of the connection. All later statements of the run fail,
   * too.
   */
  handleError(error: Error): void {
    const failed = this.#at;
    this.#at = this.#sent.length;
    for (const [statement, at] of this.#parsed) if (at >= failed) statement.isLost = true;
    for (const [at, { statement, reject }] of this.#sent.entries()) {
      if (at === failed && isStalePlan(error)) statement.isLost = true;
      if (at >= failed) reject(at === failed ? error : new SkippedStatement(error));
    }
  }

  handleReadyForQuery(): void {}
}

/**
 * Parses the tag of a response: a command, for some commands followed by numbers. The last one
 * counts the rows.
 */
function parsedTag(tag: string): Pick<Result, "command" | "rowCount"> {
  const [command = "", ...rest] = tag.split(" ");
  const count = Number(rest.at(-1) ?? Number.NaN);
  return { command, rowCount: Number.isNaN(count) ? null : count };
}

/** PostgreSQL skips the statements after one that failed. */
export class SkippedStatement extends Error {
  constructor(cause: Error) {
    super("a statement before this one failed", { cause });
  }
}
