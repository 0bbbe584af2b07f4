// Settings that take effect immediately. The cache is cleared when any process changes them.

import { type LiveSettings, settingNames } from "../../domain/settings.ts";
import type { Database } from "../../store/database.ts";
import { readSettings } from "../../store/tables/settings.ts";
import { InvalidatedMap } from "../changes/invalidated-map.ts";

export class Settings {
  readonly configured: LiveSettings;
  readonly #db: Database;
  readonly #cache = new InvalidatedMap<"settings", LiveSettings>();

  constructor(db: Database, configured: LiveSettings) {
    this.#db = db;
    this.configured = configured;
  }

  async get(): Promise<LiveSettings> {
    this.#db.checkForeignChange();
    const cached = this.#cache.get("settings");
    if (cached) return cached;
    const { generation } = this.#cache;
    const stored = await readSettings(this.#db.read);
    const changed = settingNames.filter((name) => name in stored);
    const values = Object.fromEntries(changed.map((name) => [name, stored[name]]));
    const settings: LiveSettings = { ...this.configured, ...values };
    this.#cache.set("settings", settings, generation);
    return settings;
  }

  forget(): void {
    this.#cache.clear();
  }
}
