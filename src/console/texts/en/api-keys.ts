// The page of API keys.

export const apiKeys = {
  title: "API keys",
  lead: "How programs, and the command line on other machines, reach this server.",
  empty: "There are no API keys. Programs need one; people sign in.",
  lastUsed: "Last used",
  create: "Create an API key",
  name: "Name",
  nameHint: "What uses it, so that whoever revokes it knows what stops.",
  created: (name: string) => `The API key “${name}” is there.`,
  key: "API key",
  keepIt: "Copy it now: it is shown this once. Whoever has it acts with its role.",
  example: "Try it from a shell",
  copyExample: "Copy the line",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeSays:
    "The next call with this key is refused, and streams opened with it end. It cannot be taken back: whatever uses it needs a new key.",
  lastUsedSays: "It was last used",
  neverUsed: "It has never been used.",
  isRevoked: (name: string) => `The API key “${name}” is revoked.`,
};
