import type { CommandSpec } from "../../command.ts";
import { callsApi, yes } from "../../options.ts";

export const settings = (): CommandSpec[] => [
  {
    name: "settings get",
    summary: "Show the settings that can be changed while the server runs",
    args: [{ name: "[name]", summary: "print only this setting's value" }],
    ...callsApi,
    onlyPrints: true,
    examples: ["settings get", "settings get auditRetentionDays"],
    run: async () => (await import("./settings.ts")).getSettings,
  },
  {
    name: "settings set",
    summary: "Change settings; changes take effect immediately",
    args: [{ name: "<changes...>", summary: "NAME=VALUE; use NAME=default to reset a setting" }],
    options: [{ ...yes, summary: "do not ask before data is deleted or labels are ignored" }],
    ...callsApi,
    examples: [
      "settings set auditRetentionDays=365",
      "settings set operatorLabels=env,tier,team",
      "settings set workspaceName=default",
    ],
    run: async () => (await import("./settings.ts")).setSettings,
  },
];
