// What a live stream has told and nobody has read yet. Bounded: who reads too slowly loses the stream,
// not the memory.

import { Unreachable } from "./unreachable.ts";

/** Messages that are kept for a reader. */
const defaultLimit = 10_000;

interface QueueOptions {
  /** Where the messages come from, for errors. */
  target: string;
  /** Called once, when nobody will read any more. */
  leave: () => void;
  limit?: number;
}

/** To be read once, and closed. */
export class MessageQueue<T> implements AsyncIterable<T> {
  #messages: T[] = [];
  #ending: { error: Error } | null = null;
  #isClosed = false;
  #wake: () => void = () => undefined;
  readonly #options: Required<QueueOptions>;

  constructor(options: QueueOptions) {
    this.#options = { limit: defaultLimit, ...options };
  }

  push(message: T): void {
    if (this.#ending) return;
    const { limit, target } = this.#options;
    if (this.#messages.length < limit) this.#messages.push(message);
    else this.fail(new Unreachable(target, "reading was too slow"));
    this.#wake();
  }

  /** There will be no more: what is there is read, then reading throws this. The first one counts. */
  fail(error: Error): void {
    this.#ending ??= { error };
    this.#wake();
  }

  /** Whoever reads leaves. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.leave();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (!this.#isClosed) {
      const messages = this.#messages;
      this.#messages = [];
      yield* messages;
      if (this.#messages.length > 0) continue;
      if (this.#ending) throw this.#ending.error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
