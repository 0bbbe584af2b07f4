// Settings that take effect at once: remembered in memory, forgotten when this or another process
// changes them.

import { type LiveSettings, settingNames } from "../domain/settings.ts";
import type { Database } from "../store/database.ts";
import { readSettings } from "../store/settings.ts";

export class Settings {
  readonly configured: LiveSettings;
  readonly #db: Database;
  #remembered: LiveSettings | null = null;

  constructor(db: Database, configured: LiveSettings) {
    this.#db = db;
    this.configured = configured;
  }

  /** What counts now. */
  async get(): Promise<LiveSettings> {
    if (this.#remembered) return this.#remembered;
    const stored = await readSettings(this.#db.read);
    const changed = settingNames.filter((name) => name in stored);
    const values = Object.fromEntries(changed.map((name) => [name, stored[name]]));
    this.#remembered = { ...this.configured, ...values };
    return this.#remembered;
  }

  forget(): void {
    this.#remembered = null;
  }
}
