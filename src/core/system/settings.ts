// Settings that owners change while the service runs, and the identity of the workspace.

import type { settings } from "../../api/settings.ts";
import { type DeclaredIn, type Origin, originFacts } from "../../domain/declarations.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type SettingName, settingNames } from "../../domain/settings.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  deleteSetting,
  findSetting,
  readSettings,
  writeSetting,
} from "../../store/tables/settings.ts";
import { forgetPolicies } from "../approvals/demands.ts";
import { refreshRequirements } from "../approvals/requirements.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core, Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof settings> = {
  "settings.get": (ctx) => getSettings(ctx),
  "settings.update": (ctx, { body }) => updateSettings(ctx, body),
};

const workspaceIdKey = "workspaceId";
const declaredKey = "declaredSettings";

async function getSettings(ctx: Ctx) {
  const { settings, db } = ctx.core;
  const stored = await readSettings(db.read);
  return {
    settings: await settings.live.get(),
    configured: settings.live.configured,
    changed: settingNames.filter((name) => name in stored),
    declaredIn: await readDeclaredSettings(db.read),
  };
}

/** Null reverts a setting to the configuration. */
export type SettingsPatch = Body<typeof settings, "settings.update">;

async function updateSettings(ctx: Ctx, patch: SettingsPatch) {
  await ctx.core.db.write((tx) => updateSettingsIn(ctx, tx, patch, null));
  if (patch.operatorLabels !== undefined) await refreshRequirements(ctx);
  return getSettings(ctx);
}

/** A value that equals the configured one is stored too, so it outlives configuration changes. */
export async function updateSettingsIn(
  ctx: Ctx,
  tx: Tx,
  patch: SettingsPatch,
  origin: Origin | null,
): Promise<void> {
  const { configured } = ctx.core.settings.live;
  const stored = await readSettings(tx);
  const changes: Record<string, unknown> = {};
  for (const name of settingNames) {
    const value = patch[name];
    if (value === undefined || jsonEqual(value, stored[name] ?? null)) continue;
    if (value === null) await deleteSetting(tx, name);
    else await writeSetting(tx, name, value);
    changes[name] = { from: stored[name] ?? configured[name], to: value ?? configured[name] };
  }
  if (Object.keys(changes).length === 0) return;
  if ("operatorLabels" in changes) forgetPolicies(tx);
  const metadata = { ...changes, ...originFacts(origin) };
  await audit(ctx, tx, { action: "settings.updated", targetId: null, metadata });
  noteChange(ctx.core, tx, "settings");
}

/** The id is created once and never changes. */
export async function workspaceOf(core: Core): Promise<{ id: string; name: string }> {
  const { workspaceName: name } = await core.settings.live.get();
  const stored = await findSetting(core.db.read, workspaceIdKey);
  if (typeof stored === "string") return { id: stored, name };
  const id = await core.db.write(async (tx) => {
    const existing = await findSetting(tx, workspaceIdKey);
    if (typeof existing === "string") return existing;
    const made = core.newId("wsp");
    await writeSetting(tx, workspaceIdKey, made);
    return made;
  });
  return { id, name };
}

/**
 * Which settings are declared, and where. This is separate from their values: `apply` stores no
 * value if the configuration already provides the declared one.
 */
type DeclaredSettings = Partial<Record<SettingName, DeclaredIn>>;

async function readDeclaredSettings(db: Reader): Promise<DeclaredSettings> {
  return ((await findSetting<JsonObject>(db, declaredKey)) ?? {}) as unknown as DeclaredSettings;
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
  await writeSetting(tx, declaredKey, after);
}
