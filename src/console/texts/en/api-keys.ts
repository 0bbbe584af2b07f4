// The page of API keys.

export const apiKeys = {
  title: "API keys",
  lead: "How programs, and the command line on other machines, reach this server.",
  empty: "There are no API keys. Programs need one; people sign in.",
  createdBy: "Created by",
  lastUsed: "Last used",
  revoked: "Revoked",
  create: "Create an API key",
  name: "Name",
  nameHint: "What uses it, so that whoever revokes it knows what stops.",
  expiry: "Expires",
  expiries: [
    ["86400", "in a day"],
    ["604800", "in a week"],
    ["2592000", "in 30 days"],
    ["7776000", "in 90 days"],
    ["31536000", "in a year"],
    ["", "never"],
  ] as const,
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
