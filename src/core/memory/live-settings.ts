// Settings that take effect at once: remembered in memory, forgotten when this or another process
// changes them (looked for at every use).

import { type LiveSettings, settingNames } from "../../domain/settings.ts";
import type { Database } from "../../store/database.ts";
import { readSettings } from "../../store/tables/settings.ts";

export class Settings {
  readonly configured: LiveSettings;
  readonly #db: Database;
  #remembered: LiveSettings | null = null;
  /** Counts the forgettings: what was read before one is not remembered after it. */
  #generation = 0;

  constructor(db: Database, configured: LiveSettings) {
    this.#db = db;
    this.configured = configured;
  }

  /** What counts now. */
  async get(): Promise<LiveSettings> {
    this.#db.checkForeignChange();
    if (this.#remembered) return this.#remembered;
    const generation = this.#generation;
    const stored = await readSettings(this.#db.read);
    const changed = settingNames.filter((name) => name in stored);
    const values = Object.fromEntries(changed.map((name) => [name, stored[name]]));
    const settings: LiveSettings = { ...this.configured, ...values };
    if (generation === this.#generation) this.#remembered = settings;
    return settings;
  }

  forget(): void {
    this.#generation++;
    this.#remembered = null;
  }
}
