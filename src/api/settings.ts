import { z } from "zod";
import { operatorLabelPattern } from "../domain/fleet/labels.ts";
import { maxOperatorLabels } from "../domain/limits.ts";
import { settingNames } from "../domain/settings.ts";
import { settingBounds as bounds } from "../lib/setting-bounds.ts";
import { listOf } from "./contract/bounded.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { settingsDeclaredIn } from "./shapes/declared-in.ts";

const workspaceName = z
  .string()
  .min(bounds.workspaceName.min)
  .max(bounds.workspaceName.max)
  .describe("The name of this installation.");
const maintenanceIntervalSeconds = within(bounds.maintenanceIntervalSeconds).describe(
  "The interval of the maintenance sweep, in seconds.",
);
const kept = (what: string) =>
  within(bounds.retentionDays).describe(`How many days to keep ${what}; 0 means forever.`);
const retentionDays = {
  auditRetentionDays: kept("audit events, and tokens and API keys that are no longer valid"),
  busEventRetentionDays: kept("bus events"),
  commandRetentionDays: kept(
    "commands, rollouts, runs and requests for approval after they have ended",
  ),
  silentRetentionDays: kept("agents that are OFFLINE, and services that no agent reports"),
  serviceHistoryRetentionDays: kept(
    "periods in the status history of services after they have ended",
  ),
};

const operatorLabels = listOf(
  z.string().regex(operatorLabelPattern, {
    error: "must be the key of a label: letters, digits and _, and after the first also . / -",
  }),
  maxOperatorLabels,
).describe(
  "The keys of labels that only owners can assign. Such labels are ignored if agents report them.",
);

const values = namedObject("SettingValues", {
  workspaceName,
  maintenanceIntervalSeconds,
  ...retentionDays,
  operatorLabels,
});

const changes = named(
  "UpdateSettingsRequest",
  z
    .object({
      workspaceName: workspaceName.nullable().optional(),
      maintenanceIntervalSeconds: maintenanceIntervalSeconds.nullable().optional(),
      auditRetentionDays: retentionDays.auditRetentionDays.nullable().optional(),
      busEventRetentionDays: retentionDays.busEventRetentionDays.nullable().optional(),
      commandRetentionDays: retentionDays.commandRetentionDays.nullable().optional(),
      silentRetentionDays: retentionDays.silentRetentionDays.nullable().optional(),
      serviceHistoryRetentionDays: retentionDays.serviceHistoryRetentionDays.nullable().optional(),
      operatorLabels: operatorLabels.nullable().optional(),
    })
    .describe("Settings that are missing stay unchanged. Null restores the configured value."),
);

const settingName = named("SettingName", z.enum(settingNames));

const settingsReply = namedObject("Settings", {
  settings: values.describe("The current values."),
  configured: values.describe("The values from the configuration."),
  changed: z
    .array(settingName)
    .describe("The names of the settings that currently override the configuration."),
  declaredIn: settingsDeclaredIn,
});

export const settings = defineRoutes({
  "settings.get": {
    method: "GET",
    path: "/api/admin/settings",
    access: "owner",
    summary: "Get the settings that can be changed while the server runs",
    reply: settingsReply,
  },
  "settings.update": {
    method: "PATCH",
    path: "/api/admin/settings",
    access: "owner",
    summary:
      "Change settings; the changes take effect immediately. `null` restores the configured " +
      "value",
    body: changes,
    reply: settingsReply,
  },
});

export const settingsDeclaration = z.object({ kind: z.literal("Settings"), settings: changes });

function within({ min, max }: { min: number; max: number }) {
  return z.int().min(min).max(max);
}
