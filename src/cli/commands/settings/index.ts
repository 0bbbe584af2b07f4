// `platformctl settings …`

import type { CommandSpec } from "../../command.ts";
import { callsApi, yes } from "../../options.ts";

export const settings: CommandSpec[] = [
  {
    name: "settings get",
    summary: "Show the settings that can be changed while the server runs",
    args: [{ name: "[name]", summary: "only this one: prints its value" }],
    ...callsApi,
    onlyPrints: true,
    examples: ["settings get", "settings get auditRetentionDays"],
    run: async () => (await import("./settings.ts")).getSettings,
  },
  {
    name: "settings set",
    summary: "Change settings; they take effect at once",
    args: [
      { name: "<changes...>", summary: "NAME=VALUE; default as the value takes a change back" },
    ],
    options: [{ ...yes, summary: "do not ask before what is kept is deleted sooner" }],
    ...callsApi,
    examples: ["settings set auditRetentionDays=365", "settings set workspaceName=default"],
    run: async () => (await import("./settings.ts")).setSettings,
  },
];
