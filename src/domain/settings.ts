// Settings that an owner can change while the service runs. A changed setting overrides the
// configured value until the change is undone.

export interface LiveSettings {
  workspaceName: string;
  maintenanceIntervalSeconds: number;
  /** 0 for ever. */
  auditRetentionDays: number;
  /** 0 for ever. */
  busEventRetentionDays: number;
  /** 0 for ever. */
  commandRetentionDays: number;
  /** For agents that are OFFLINE, and services that no agent reports. 0 for ever. */
  silentRetentionDays: number;
}

export type SettingName = keyof LiveSettings;

export const settingNames = [
  "workspaceName",
  "maintenanceIntervalSeconds",
  "auditRetentionDays",
  "busEventRetentionDays",
  "commandRetentionDays",
  "silentRetentionDays",
] as const satisfies readonly SettingName[];
