// The bounds of the settings that an owner can change at run time, for the environment and the API.

export const settingBounds = {
  /** In characters. */
  workspaceName: { min: 1, max: 100 },
  maintenanceIntervalSeconds: { min: 1, max: 86_400 },
  /** 0 means forever. */
  retentionDays: { min: 0, max: 36_500 },
} as const;
