import type { Case } from "./case.ts";

export const apiKeys: Record<string, Case> = {
  "api-keys create": {
    words: () => ["--name", "ci", "--role", "viewer", "--expires", "90d"],
    route: "api-keys.create",
    columns: ["name", "key"],
    named: /^key_/,
  },
  "api-keys list": {
    varies: ["lastUsedAt", "used"],
    route: "api-keys.list",
    same: async (api) => (await api.page("api-keys.list")).data,
    columns: ["id", "role"],
    named: /^key_/,
  },
  "api-keys revoke": {
    words: async ({ as }) => {
      const body = { name: "ci", role: "viewer" as const };
      return [(await as("owner").call("api-keys.create", { body })).id, "--yes"];
    },
    route: "api-keys.revoke",
    same: async (api, { id }) => {
      const { data } = await api.page("api-keys.list");
      return data.find((key) => key.id === id);
    },
    columns: ["name", "status"],
    named: /^key_/,
  },
};
