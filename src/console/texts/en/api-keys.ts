// The page of API keys.

export const apiKeys = {
  lastUsed: "It was last used",
  onTheHost: "nobody: made on the host",
  userGone: "a deleted user",
  userDisabled: (name: string) => `${name}, disabled`,
  create: "Create an API key",
  name: "Name",
  nameHint: "What uses it, so that whoever revokes it knows what stops.",
  created: (name: string) => `The API key “${name}” is there.`,
  key: "API key",
  keepIt: "Copy it now: it is shown this once. Whoever has it acts with its role.",
  example: "Try it from a shell",
  copyExample: "Copy the line",
  neverUsed: "It has never been used.",
};
