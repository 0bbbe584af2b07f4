// Which settings are declared, and where. Their names are recorded apart from their values, because a
// declared setting can have the configured value, and is then not stored.

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

/** The set declares these settings from now on, and no others. A setting belongs to the last set that names it. */
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
