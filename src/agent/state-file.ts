// Small JSON files in the state folder: mode 0600, written atomically.

import { chmod } from "node:fs/promises";
import type { z } from "zod";
import { checkRoomFor, replaceFile } from "../lib/files/private-file.ts";
import { readTextOrNull } from "../lib/files/read-text.ts";
import { messageOf } from "./connection/errors.ts";

const mostBytes = 4096;

export interface StateFile<T> {
  read(): Promise<T | null>;
  write(value: T): Promise<void>;
  /** Throws if `write` would fail. */
  prepare(): Promise<void>;
}

/**
 * All methods throw the error that `unusable` returns. If the content is invalid, `unusable` gets
 * `hint` as the reason.
 */
export function stateFile<T>(
  file: string,
  content: z.ZodType<T>,
  hint: string,
  unusable: (reason: string, cause: unknown) => Error,
): StateFile<T> {
  async function orUnusable<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw unusable(messageOf(error), error);
    }
  }
  return {
    prepare: () => orUnusable(() => checkRoomFor(file, mostBytes)),
    write: (value) => orUnusable(() => replaceFile(file, `${JSON.stringify(value, null, 2)}\n`)),
    async read() {
      const text = await orUnusable(async () => {
        const found = await readTextOrNull(file);
        if (found !== null) await chmod(file, 0o600);
        return found;
      });
      if (text === null) return null;
      try {
        return content.parse(JSON.parse(text));
      } catch (error) {
        throw unusable(hint, error);
      }
    },
  };
}
