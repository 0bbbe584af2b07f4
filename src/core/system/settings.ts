// Settings that owners change while the service runs, and the identity of the workspace.

import type { settings } from "../../api/settings.ts";
import { type Origin, originFacts } from "../../domain/declarations.ts";
import { settingNames } from "../../domain/settings.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Tx } from "../../store/database.ts";
import { deleteSetting, readSettings, writeSetting } from "../../store/tables/settings.ts";
import { refreshRequirements } from "../approvals/carrying-out.ts";
import { audit } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";
import { readDeclaredSettings } from "../declarations/declared-settings.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { noteChange } from "../news/changes.ts";

export const handlers: HandlersOf<typeof settings> = {
  "settings.get": (ctx) => getSettings(ctx),
  "settings.update": (ctx, { body }) => updateSettings(ctx, body),
};

const workspaceIdKey = "workspaceId";

export async function getSettings(ctx: Ctx) {
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
  const metadata = { ...changes, ...originFacts(origin) };
  await audit(ctx, tx, { action: "settings.updated", targetId: null, metadata });
  noteChange(ctx.core, tx, "settings");
}

/** The id is created once and never changes. */
export async function workspaceOf(core: Core): Promise<{ id: string; name: string }> {
  const { workspaceName: name } = await core.settings.live.get();
  const stored = (await readSettings(core.db.read))[workspaceIdKey];
  if (typeof stored === "string") return { id: stored, name };
  const id = await core.db.write(async (tx) => {
    const existing = (await readSettings(tx))[workspaceIdKey];
    if (typeof existing === "string") return existing;
    tx.concerns();
    const made = core.newId("wsp");
    await writeSetting(tx, workspaceIdKey, made);
    return made;
  });
  return { id, name };
}
