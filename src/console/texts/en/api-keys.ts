// The page of API keys.

export const apiKeys = {
  lastUsed: "The key was last used",
  onTheHost: "none: created on the host",
  userGone: "a deleted user",
  userDisabled: (name: string) => `${name}, disabled`,
  create: "Create an API key",
  name: "Name",
  nameHint: "What uses the key. Anyone who revokes the key then knows what stops working.",
  created: (name: string) => `The API key “${name}” was created`,
  key: "API key",
  keepIt: "Copy it now: it is shown only once. Anyone with the key can act with its role.",
  example: "Try it from a shell",
  copyExample: "Copy the line",
  neverUsed: "The key has never been used.",
};
