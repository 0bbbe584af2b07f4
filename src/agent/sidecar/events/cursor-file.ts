// Stores how far a service's events have been forwarded, in the state folder.

import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../../lib/files/private-file.ts";
import { readTextOrNull } from "../../../lib/files/read-text.ts";
import { messageOf } from "../../connection/errors.ts";
import { Trouble } from "./forwarding-trouble.ts";

const content = z.object({ url: z.string(), cursor: z.string() });

/** `bus-<code>.json`, mode 0600, written atomically. Both methods throw Trouble CURSOR_UNUSABLE. */
export class CursorFile {
  readonly #file: string;
  readonly #url: string;

  constructor(stateDir: string, serviceCode: string, url: string) {
    // A code can contain a colon, which some file systems do not allow.
    this.#file = join(stateDir, `bus-${encodeURIComponent(serviceCode)}.json`);
    this.#url = url;
  }

  /** Null if nothing was forwarded from this URL yet. A cursor is valid only for its URL. */
  async read(): Promise<string | null> {
    const text = await this.#text();
    if (text === null) return null;
    try {
      const { url, cursor } = content.parse(JSON.parse(text));
      return url === this.#url ? cursor : null;
    } catch {
      const hint = "it is not a cursor file; remove it to read all events of the service again";
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
      return await readTextOrNull(this.#file);
    } catch (error) {
      throw this.#unusable(messageOf(error));
    }
  }

  #unusable(reason: string): Trouble {
    return new Trouble("CURSOR_UNUSABLE", `${this.#file} cannot be used: ${reason}`);
  }
}
