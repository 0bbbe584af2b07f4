import type { apiKeys as routes } from "../api-keys.ts";
import type { NounTexts } from "../contract/noun.ts";

export const apiKeys = {
  one: "API key",
  title: "API keys",
  summary: "API keys for scripts",
  lead: "Programs, and platformctl on other machines, use API keys to call this server.",
  name: "name",
  live: "ACTIVE",
  about: "status",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "status", of: "status", kind: "state" },
    { name: "name", of: "name" },
    { name: "role", of: "role" },
    { name: "user", of: { cell: "keyOwner" }, label: "Belongs to" },
    {
      name: "expires",
      of: "expiresAt",
      kind: "time",
      none: "never",
      while: { status: ["ACTIVE", "EXPIRED"] },
    },
    { name: "used", of: "lastUsedAt", kind: "time", label: "Last used" },
    { name: "created", of: "createdAt", kind: "time", wide: "terminal" },
    { name: "by", of: "createdBy", wide: true, label: "Created by" },
    { name: "revoked", of: "revokedAt", kind: "time", wide: true },
  ],
  empty: "No API keys. Create one: platformctl api-keys create",
  emptyPage: "There are no API keys. Programs need one; users sign in instead.",
  acts: {
    revoke: {
      asks: "Revoke the API key {title}? Programs that use it can no longer call this server.",
      happens: [
        "The next call with this key is refused, and streams that were opened with it are closed. This cannot be undone: every program that uses the key needs a new one.",
      ],
      done: "The API key {title} is revoked.",
      when: { status: ["ACTIVE"] },
      danger: true,
    },
    delete: {
      asks: "Delete the API key {title}?",
      refusedWhen: "ACTIVE",
      happens: [
        "The key no longer works. The audit trail keeps the record of what was done with it.",
      ],
      done: "The API key {title} is deleted.",
      danger: true,
    },
  },
  create: {
    fields: {
      name: { hint: "What the key is for.", default: "platformctl" },
      user: { hint: "The user who will use the key; by default you.", completes: "users" },
      role: {
        hint: "What the key can do; `metrics` can only read the metrics.",
        meanings: {
          viewer: "can read",
          operator: "can also run actions",
          owner: "can do everything",
          metrics: "can only read the metrics",
        },
      },
    },
    expires: "never",
    reminder: "Scripts pass it in PLATFORM_API_KEY.",
  },
  examples: {
    create: [
      "api-keys create --name ci --role operator --expires 90d",
      "api-keys create --name ann-scripts --role operator --user ann",
      "api-keys create --name prometheus --role metrics",
      "api-keys create --name ci --role operator --db data/platform.db -o json",
    ],
  },
} as const satisfies NounTexts<typeof routes, "api-keys">;
