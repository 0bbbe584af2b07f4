// The bounds of the settings that an owner can change at run time. The environment and the API share them.

export const settingBounds = {
  /** The length in characters. */
  workspaceName: { min: 1, max: 100 },
  maintenanceIntervalSeconds: { min: 1, max: 86_400 },
  /** 0: forever. */
  retentionDays: { min: 0, max: 36_500 },
} as const;
