// Receives notices when other processes of the cluster commit. While the connection is lost,
// reports a few times a second that anything may have changed, and once more when it is back.

import type { DatabaseClock } from "./clock.ts";
import type { Session } from "./connection/session.ts";
import { channel, type GroupNotice, parseNotice } from "./notices.ts";
import { readClock } from "./writes/write-lock.ts";

/**
 * While the connection is lost: the pause before each attempt to connect, and between two reports
 * that anything may have changed.
 */
const lookMs = 250;
/** How often the connection is tested. */
const beatMs = 2000;

interface ListenerOptions {
  /** Opens a session whose statements have a time limit of a few seconds. */
  connect: () => Promise<Session>;
  onNotice: (notice: GroupNotice) => void;
  /** Called when anything may have changed. */
  onDoubt: () => void;
  /** Corrected by the database's time at each test of the connection. */
  clock: DatabaseClock;
}

export class Listener {
  readonly #options: ListenerOptions;
  #session: Session | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#session?.isOpen ?? false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#session?.end();
  }

  /**
   * Rejects if the connection fails. If the connection is lost later, tries to connect until that
   * succeeds.
   */
  async start(): Promise<void> {
    const session = await this.#options.connect();
    try {
      session.onNotification((payload) => {
        const notice = parseNotice(payload);
        if (notice === null) this.#options.onDoubt();
        else this.#options.onNotice(notice);
      });
      await session.query(`LISTEN ${channel}`);
    } catch (error) {
      session.destroy();
      throw error;
    }
    if (this.#isClosed) {
      session.destroy();
      return;
    }
    this.#session = session;
    session.onLost(() => this.#doubt());
    this.#later(beatMs, () => this.#beat(session));
  }

  /** The loss of a connection is noticed only when something is sent. */
  #beat(session: Session): void {
    const sentAt = performance.now();
    session.query(readClock).then(
      ({ rows }) => {
        this.#options.clock.note(rows[0].now, sentAt);
        this.#later(beatMs, () => this.#beat(session));
      },
      // A statement can also fail on an open connection, for example because it took too long.
      () => session.destroy(),
    );
  }

  #doubt(): void {
    if (this.#isClosed) return;
    this.#session = null;
    this.#options.onDoubt();
    this.#later(lookMs, () => void this.#return());
  }

  async #return(): Promise<void> {
    const looks = setInterval(() => this.#options.onDoubt(), lookMs).unref();
    try {
      await this.start();
      this.#options.onDoubt();
    } catch {
      this.#doubt();
    } finally {
      clearInterval(looks);
    }
  }

  #later(ms: number, then: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(then, ms).unref();
  }
}
