// The unread messages of a live stream. A reader that is too slow loses the stream.

import { Unreachable } from "./unreachable.ts";

const defaultLimit = 10_000;

interface QueueOptions {
  /** The name of the source, for error messages. */
  target: string;
  /** Called once, when reading ends. */
  leave: () => void;
  limit?: number;
}

/** A queue must be read once and then closed. */
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

  /** Makes reading throw this error after the remaining messages. Later calls have no effect. */
  fail(error: Error): void {
    this.#ending ??= { error };
    this.#wake();
  }

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
