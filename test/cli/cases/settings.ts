import type { Client } from "../../../src/client/client.ts";
import type { Case } from "./case.ts";

const ofSettings = {
  same: (api: Client) => api.call("settings.get"),
} satisfies Partial<Case>;

export const settings: Record<string, Case> = {
  "settings get": { route: "settings.get", ...ofSettings },
  "settings set": {
    words: () => [
      "auditRetentionDays=365",
      "workspaceName=Edge 5",
      "busEventRetentionDays=default",
    ],
    route: "settings.update",
    ...ofSettings,
  },
};
