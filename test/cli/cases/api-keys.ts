import type { Case } from "./case.ts";

export const apiKeys: Record<string, Case> = {
  "api-keys create": {
    words: () => ["--name", "ci", "--role", "viewer", "--expires", "90d"],
    route: "api-keys.create",
    columns: ["name", "key"],
    named: /^key_/,
  },
};
