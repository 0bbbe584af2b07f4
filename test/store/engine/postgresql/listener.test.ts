// The connection that receives notices. The test plays the part of the connection.

import { expect, onTestFinished, test, vi } from "vitest";
import { DatabaseClock } from "../../../../src/store/engine/postgresql/clock.ts";
import type { Session } from "../../../../src/store/engine/postgresql/connection/session.ts";
import { Listener } from "../../../../src/store/engine/postgresql/listener.ts";

/** A connection whose first statement works, and whose later ones are cancelled. */
class CancelledSession {
  isOpen = true;
  #queries = 0;
  #onLost = () => {};

  async query() {
    if (this.#queries++ === 0) return { rows: [] };
    const message = "canceling statement due to statement timeout";
    throw Object.assign(new Error(message), { code: "57014" });
  }

  onNotification() {}

  onLost(listener: () => void) {
    this.#onLost = listener;
  }

  destroy() {
    this.isOpen = false;
    this.#onLost();
  }

  async end() {}
}

test("a beat that is cancelled opens a new connection", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const opened: CancelledSession[] = [];
  let doubts = 0;
  const listener = new Listener({
    connect: async () => {
      const session = new CancelledSession();
      opened.push(session);
      return session as unknown as Session;
    },
    onNotice: () => undefined,
    onDoubt: () => doubts++,
    clock: new DatabaseClock(0),
  });
  await listener.start();
  await vi.advanceTimersByTimeAsync(2000);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
  expect(listener.isListening).toBe(false);
  expect(doubts).toBe(1);
  await vi.advanceTimersByTimeAsync(250);
  expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  expect(listener.isListening).toBe(true);
  await listener.close();
});
