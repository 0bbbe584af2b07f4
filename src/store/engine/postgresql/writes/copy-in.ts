// Sends rows with COPY, no faster than the server takes them.

import pg, { type Connection } from "pg";

interface Settle {
  resolve(rows: number): void;
  reject(error: Error): void;
}

/** The members of `pg` that COPY needs. Its types do not declare them. */
interface CopyConnection {
  stream: NodeJS.WritableStream & { writableNeedDrain: boolean; destroyed: boolean };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

export class CopyIn extends pg.Query {
  readonly #chunks: AsyncIterable<Buffer>;
  readonly #settle: Settle;
  #rows = 0;
  /** Why `chunks` failed. The server is only told that there are no more rows. */
  #problem: Error | null = null;
  /** Whether the server has ended the command. */
  #ended = false;

  constructor(sql: string, chunks: AsyncIterable<Buffer>, settle: Settle) {
    super({ text: sql });
    this.#chunks = chunks;
    this.#settle = settle;
    this.submit = (connection: Connection) => {
      (connection as unknown as CopyConnection).query(sql);
      return null;
    };
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection);
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#chunks) {
        if (this.#ended) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await drained(connection);
      }
      connection.endCopyFrom();
    } catch (error) {
      this.#problem = error as Error;
      connection.sendCopyFail("the client has no more rows");
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#ended = true;
    this.#rows = Number(text.split(" ").at(-1));
  }

  handleError(error: Error): void {
    this.#ended = true;
    this.#settle.reject(this.#problem ?? error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows);
  }
}

function drained({ stream }: CopyConnection): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off("drain", go);
      stream.off("close", go);
      resolve();
    };
    stream.on("drain", go);
    stream.on("close", go);
    if (stream.destroyed) go();
  });
}
