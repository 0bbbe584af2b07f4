// Connections that take the place of SQLite's reader processes, for reads that can take a long
// time. (docs/decisions/0021-reader-processes.md)

import type {
  ReaderEvents,
  ReaderProcess,
  ReadRequest,
  StartReader,
  StatementRequest,
} from "../../../domain/storage/reader-process.ts";
import { textOfRows } from "../../row-texts.ts";
import { ConnectionLost } from "./connection/losses.ts";
import type { Session } from "./connection/session.ts";
import type { QuickReads } from "./quick-reads.ts";

export function readerConnections(
  connect: () => Promise<Session>,
  quickReads: QuickReads,
): StartReader {
  return (_name, events) => new ReaderConnection(connect(), events, quickReads);
}

class ReaderConnection implements ReaderProcess {
  readonly #session: Promise<Session>;
  readonly #events: ReaderEvents;
  readonly #quickReads: QuickReads;
  #isReading = false;
  #isKilled = false;

  constructor(session: Promise<Session>, events: ReaderEvents, quickReads: QuickReads) {
    this.#session = session;
    this.#events = events;
    this.#quickReads = quickReads;
    session.then(
      (open) => {
        if (this.#isKilled) open.destroy();
        else open.onLost((error) => this.#end(error));
      },
      (error: Error) => this.#end(error),
    );
  }

  send(request: ReadRequest): void {
    if ("checkpoint" in request) throw new Error("PostgreSQL makes its own checkpoints");
    void this.#read(request);
  }

  kill(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    void this.#session.then(
      (session) => this.#cancel(session),
      () => undefined,
    );
  }

  async #read({ id, sql, params, form }: StatementRequest): Promise<void> {
    this.#isReading = true;
    try {
      const { rows } = await (await this.#session).query(sql, params);
      this.#events.onResponse({ id, rows: inForm(form, rows) });
    } catch (error) {
      if (error instanceof ConnectionLost) return;
      const { message, code } = error as Error & { code?: unknown };
      this.#events.onResponse({
        id,
        failure: { message, code: typeof code === "string" ? code : null },
      });
    } finally {
      this.#isReading = false;
    }
  }

  /** The server does not notice at once that a connection has closed while it runs a statement. */
  async #cancel(session: Session): Promise<void> {
    if (this.#isReading) {
      const cancelling = this.#quickReads.query("SELECT pg_cancel_backend(?)", [session.pid]);
      await cancelling.catch(() => undefined);
    }
    session.destroy();
  }

  #end(error: Error): void {
    if (!this.#isKilled) this.#events.onEnd(error);
    this.#isKilled = true;
  }
}

function inForm(form: StatementRequest["form"], rows: unknown[]): unknown[] {
  if (form === "all") return rows;
  return form === "first" ? rows.slice(0, 1) : [textOfRows(form, rows)];
}
