// Stores which settings are declared, and where. This is separate from their values: a declared
// setting that has the configured value is not stored.

import type { DeclaredIn, Origin } from "../../domain/declarations.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { SettingName } from "../../domain/settings.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findSetting, writeSetting } from "../../store/tables/settings.ts";

const key = "declaredSettings";

type DeclaredSettings = Partial<Record<SettingName, DeclaredIn>>;

export async function readDeclaredSettings(db: Reader): Promise<DeclaredSettings> {
  return ((await findSetting<JsonObject>(db, key)) ?? {}) as unknown as DeclaredSettings;
}

/**
 * Makes these the settings that the set declares. A setting belongs to the set that declared it
 * last.
 */
export async function noteDeclaredSettings(
  tx: Tx,
  { set, file }: Pick<Origin, "set" | "file">,
  names: readonly SettingName[],
): Promise<void> {
  const before = await readDeclaredSettings(tx);
  const others = Object.entries(before).filter(([, declared]) => declared.set !== set);
  const own = names.map((name) => [name, { set, file }]);
  const after: JsonObject = Object.fromEntries([...others, ...own]);
  if (jsonEqual(after, before as unknown as JsonObject)) return;
  tx.concerns();
  await writeSetting(tx, key, after);
}
