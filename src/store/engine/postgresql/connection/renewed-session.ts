import { ConnectionLost } from "./losses.ts";
import type { Session } from "./session.ts";

/** A connection that is opened when it is needed, and again after it was lost. */
export class RenewedSession {
  readonly #connect: () => Promise<Session>;
  #opening: Promise<Session> | null = null;
  #isClosed = false;

  constructor(connect: () => Promise<Session>) {
    this.#connect = connect;
  }

  /** After `close`, rejects with `ConnectionLost` instead of opening a connection. */
  async get(): Promise<Session> {
    const known = this.#opening;
    if (known !== null) {
      const session = await known.catch(() => null);
      if (session?.isOpen) return session;
      if (this.#opening === known) this.#opening = null;
    }
    if (this.#isClosed) throw new ConnectionLost(new Error("the connection was closed"));
    this.#opening ??= this.#connect();
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.then(
      (session) => session.end(),
      () => undefined,
    );
  }
}
