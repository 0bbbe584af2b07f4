// Up to where a service's events have been forwarded: a file of the agent's state folder, one for each
// service.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../../connection/errors.ts";
import { replaceFile } from "../../work/durable-file.ts";
import { Trouble } from "./forwarding-trouble.ts";

const content = z.object({ url: z.string(), cursor: z.string() });

/** `bus-<code>.json`, of mode 0600, written atomically. Both throw Trouble CURSOR_UNUSABLE. */
export class CursorFile {
  readonly #file: string;
  readonly #url: string;

  constructor(stateDir: string, serviceCode: string, url: string) {
    // A code may hold a colon, which not every file system takes.
    this.#file = join(stateDir, `bus-${encodeURIComponent(serviceCode)}.json`);
    this.#url = url;
  }

  /** Null when nothing was forwarded from this URL yet: a cursor means nothing elsewhere. */
  async read(): Promise<string | null> {
    const text = await this.#text();
    if (text === null) return null;
    try {
      const { url, cursor } = content.parse(JSON.parse(text));
      return url === this.#url ? cursor : null;
    } catch {
      const hint = "it is no cursor; remove it, and the service is asked for all its events again";
      throw this.#unusable(hint);
    }
  }

  async write(cursor: string): Promise<void> {
    try {
      await replaceFile(this.#file, `${JSON.stringify({ url: this.#url, cursor }, null, 2)}\n`);
    } catch (error) {
      throw this.#unusable(messageOf(error));
    }
  }

  async #text(): Promise<string | null> {
    try {
      return await readFile(this.#file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw this.#unusable(messageOf(error));
    }
  }

  #unusable(reason: string): Trouble {
    return new Trouble("CURSOR_UNUSABLE", `${this.#file} cannot be used: ${reason}`);
  }
}
