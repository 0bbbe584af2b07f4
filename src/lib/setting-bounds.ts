// The limits of the settings that an owner can change at run time, for the environment and the API.

export const settingBounds = {
  workspaceName: { min: 1, max: 100 }, // characters
  maintenanceIntervalSeconds: { min: 1, max: 86_400 },
  retentionDays: { min: 0, max: 36_500 }, // 0 means forever
} as const;

/** The name of a workspace until somebody gives it another one. */
export const unnamedWorkspace = "default";
