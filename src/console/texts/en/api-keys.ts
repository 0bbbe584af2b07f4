export const apiKeys = {
  lastUsed: "The key was last used",
  onTheHost: "Created on the host",
  userGone: "Deleted user",
  userDisabled: (name: string) => `${name} (disabled)`,
  create: "Create API key",
  nameHint: "What uses the key, so that others know what stops working if they revoke it.",
  user: "User",
  userHint:
    "Who will use the key: a username, or empty for yourself. This user cannot approve what the key asks for, and neither can you.",
  created: (name: string) => `The API key “${name}” was created`,
  key: "API key",
  keepIt: "Copy it now: it is shown only once. Anyone with the key can act with its role.",
  example: "Example",
  copyExample: "Copy command",
  neverUsed: "The key has never been used.",
};
