// Limits the settings that an owner can change at run time, in the environment and in the API.

export const settingBounds = {
  workspaceName: { min: 1, max: 100 }, // characters
  maintenanceIntervalSeconds: { min: 1, max: 86_400 },
  retentionDays: { min: 0, max: 36_500 }, // 0 means forever
} as const;

/** The default of a setting: the name of a workspace to which nobody has given a name. */
export const unnamedWorkspace = "default";
