// Settings that an owner can change while the service runs.

export interface LiveSettings {
  workspaceName: string;
  maintenanceIntervalSeconds: number;
  /** 0 keeps the events forever. */
  auditRetentionDays: number;
  /** 0 keeps the events forever. */
  busEventRetentionDays: number;
  /** 0 keeps the commands forever. */
  commandRetentionDays: number;
  /** Applies to OFFLINE agents and services that no agent reports. 0 keeps them forever. */
  silentRetentionDays: number;
  /** Applies to the changes of services' statuses. 0 keeps them forever. */
  serviceHistoryRetentionDays: number;
  /**
   * Keys of labels that agents cannot report. SQL also reads this setting
   * (store/label-conditions.ts).
   */
  operatorLabels: string[];
}

export type SettingName = keyof LiveSettings;

export const settingNames = [
  "workspaceName",
  "maintenanceIntervalSeconds",
  "auditRetentionDays",
  "busEventRetentionDays",
  "commandRetentionDays",
  "silentRetentionDays",
  "serviceHistoryRetentionDays",
  "operatorLabels",
] as const satisfies readonly SettingName[];
