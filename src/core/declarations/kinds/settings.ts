import type { JsonObject } from "../../../domain/payload/json.ts";
import { type LiveSettings, type SettingName, settingNames } from "../../../domain/settings.ts";
import { counted } from "../../../lib/counted.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { countReported } from "../../../store/tables/fleet/services.ts";
import { findSetting, readSettings } from "../../../store/tables/settings.ts";
import type { Ctx } from "../../context.ts";
import type { Lookups } from "../../lookups.ts";
import {
  noteDeclaredSettings,
  type SettingsPatch,
  updateSettingsIn,
} from "../../system/settings.ts";
import type { Change, DocumentOf, Kind, Stored } from "../kind.ts";

type StoredSettings = Stored & { values: LiveSettings };
type Document = DocumentOf<"Settings">;

/**
 * A document is compared with the current values of the settings that it names, whether these are
 * stored or come from the configuration.
 */
export const settingsKind: Kind<Document, StoredSettings> = {
  owned: false,
  nameOf: () => "settings",
  async list({ core }, db) {
    const stored = await readSettings(db);
    const changed = settingNames.filter((name) => name in stored);
    const overrides = Object.fromEntries(changed.map((name) => [name, stored[name]]));
    const values: LiveSettings = { ...core.settings.live.configured, ...overrides };
    const stamp = JSON.stringify(overrides);
    return [{ id: null, name: "settings", set: null, file: null, stamp, values }];
  },
  async compare({ ctx }, document, item) {
    const before = item && formOf(item.values, namedIn(document));
    const after = formOf(wanted(ctx, document), namedIn(document));
    return { before, after, isSame: jsonEqual(before, after) };
  },
  formOf: async (_, { values }) => formOf(values, settingNames),
  async create() {
    throw new Error("the settings always exist");
  },
  async update(ctx, tx, { values }, document, { origin }) {
    const after = wanted(ctx, document);
    const changed = namedIn(document).filter((name) => !jsonEqual(after[name], values[name]));
    const patch = Object.fromEntries(changed.map((name) => [name, document.settings[name]]));
    await updateSettingsIn(ctx, tx, patch as SettingsPatch, origin);
  },
  noteFile: (tx, _, document, origin) => noteDeclaredSettings(tx, origin, namedIn(document)),
  async delete() {
    throw new Error("the settings always exist");
  },
  async warningsOf({ db }, { settings }) {
    const warnings: string[] = [];
    for (const key of settings.operatorLabels ?? []) {
      const count = await countReported(db, key);
      if (count > 0) warnings.push(ignoredText(key, count));
    }
    return warnings;
  },
};

/** Returns the setting as it will be after these changes. */
export async function operatorLabelsAfter(
  { db, once }: Lookups,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const [document] = changes.flatMap(({ document }) =>
    document?.kind === "Settings" ? [document] : [],
  );
  const declared = document?.settings.operatorLabels;
  if (declared !== undefined) return declared ?? [];
  return once(
    "operatorLabels",
    async () => (await findSetting<string[]>(db, "operatorLabels")) ?? [],
  );
}

function ignoredText(key: string, services: number): string {
  return (
    `The label ${key}, which agents report for ${counted(services, "service")}, will count only ` +
    `where it is assigned: platformctl services label SERVICE ${key}=VALUE`
  );
}

function namedIn({ settings }: Document): SettingName[] {
  return settingNames.filter((name) => settings[name] !== undefined);
}

function wanted({ core }: Ctx, document: Document): LiveSettings {
  const { configured } = core.settings.live;
  const named = namedIn(document).map((name) => [
    name,
    document.settings[name] ?? configured[name],
  ]);
  return { ...configured, ...Object.fromEntries(named) };
}

function formOf(values: LiveSettings, names: readonly SettingName[]): JsonObject {
  return { settings: Object.fromEntries(names.map((name) => [name, values[name]])) };
}
