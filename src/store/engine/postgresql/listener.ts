// Notices the commits of other processes of the cluster. While it cannot, everything that is
// remembered is doubted a few times a second, and once more when it can again.

import type { DatabaseClock } from "./clock.ts";
import { channel, type GroupNotice, noticeIn } from "./notices.ts";
import type { Session } from "./session.ts";
import { readClock } from "./write-lock.ts";

/** How often everything is doubted while the connection is lost, and how often it is tried again. */
const lookMs = 250;
/** How often an idle connection is tried. */
const beatMs = 2000;

export interface ListenerOptions {
  /** Must open a session whose statements end after a few seconds. */
  connect: () => Promise<Session>;
  onNotice: (notice: GroupNotice) => void;
  /** Called when anything may have changed. */
  onDoubt: () => void;
  /** Learns the time with each beat. */
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

  /** Rejects if the first connection fails. Later ones are repeated. */
  async start(): Promise<void> {
    await this.#listen();
  }

  get isListening(): boolean {
    return this.#session?.isOpen ?? false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#session?.end();
  }

  async #listen(): Promise<void> {
    const session = await this.#options.connect();
    try {
      session.onNotification((payload) => {
        const notice = noticeIn(payload);
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
    if (!session.isOpen) this.#doubt();
    else this.#later(beatMs, () => this.#beat(session));
  }

  /** A lost connection shows itself only to who sends something. */
  #beat(session: Session): void {
    const sentAt = performance.now();
    session.query(readClock).then(
      ({ rows }) => {
        this.#options.clock.note(rows[0].now, sentAt);
        this.#later(beatMs, () => this.#beat(session));
      },
      () => undefined, // the loss was reported
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
      await this.#listen();
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
