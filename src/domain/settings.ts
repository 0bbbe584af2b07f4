// Settings that an owner may change while the service runs. Each has a configured value that counts
// until it is changed, and again when the change is taken back.

export interface LiveSettings {
  workspaceName: string;
  maintenanceIntervalSeconds: number;
  /** 0: for ever. */
  auditRetentionDays: number;
  /** 0: for ever. */
  busEventRetentionDays: number;
  /** 0: for ever. */
  commandRetentionDays: number;
  /** Of agents that are OFFLINE, and of services that nobody reports. 0: for ever. */
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
