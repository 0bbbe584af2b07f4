// What the settings that an owner may change in the running service can be, so that the environment
// takes the same as the API.

export const settingBounds = {
  /** In characters. */
  workspaceName: { min: 1, max: 100 },
  maintenanceIntervalSeconds: { min: 1, max: 86_400 },
  /** 0: for ever. */
  retentionDays: { min: 0, max: 36_500 },
} as const;
