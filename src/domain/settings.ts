// Settings that an owner can change while the service runs. A changed setting overrides the
// configured value until the change is undone.

export interface LiveSettings {
  workspaceName: string;
  maintenanceIntervalSeconds: number;
  /** 0 keeps them forever. */
  auditRetentionDays: number;
  /** 0 keeps them forever. */
  busEventRetentionDays: number;
  /** 0 keeps them forever. */
  commandRetentionDays: number;
  /**
   * Applies to agents that are OFFLINE, and to services that no agent reports. 0 keeps them
   * forever.
   */
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
