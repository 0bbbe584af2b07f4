import type { Case } from "./case.ts";

export const registrationTokens: Record<string, Case> = {
  "tokens create": {
    words: () => ["--name", "edge-7", "--expires", "1h"],
    route: "registration-tokens.create",
    columns: ["name", "token"],
    named: /^rtk_/,
  },
};
