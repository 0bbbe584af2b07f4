// Reader processes that cannot be started. e2e/storage/reader-processes.test.ts tests a real one.

import { EventEmitter } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startReaderChild } from "../../../src/cli/files/reader-child.ts";
import { ReaderPool } from "../../../src/store/engine/reader-pool.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";

const caller = { gone: false, onGone: () => () => undefined };

test.each([
  [
    "spawn ENOMEM",
    (error: Error) => {
      throw error;
    },
  ],
  // Node.js returns such a child without a channel if it cannot open the channel.
  [
    "spawn EMFILE",
    (error: Error) => {
      const child = new EventEmitter();
      process.nextTick(() => child.emit("error", error));
      return Object.assign(child, { kill: () => false, unref: () => undefined });
    },
  ],
])(
  "a read whose process cannot be started (%s) is UNAVAILABLE, and nothing is left of it",
  async (message, spawn) => {
    replaceBuiltin("node:child_process", () => ({ spawn: () => spawn(new Error(message)) }));
    const pool = new ReaderPool(startReaderChild, "platform.db", { waiting: 1 });
    onTestFinished(() => pool.close());
    for (const sql of ["SELECT 1", "SELECT 2"]) {
      await expect(pool.readerFor(caller).all(sql)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        cause: { message },
      });
    }
  },
);
