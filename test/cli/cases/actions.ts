import { type Case, getCommand } from "./case.ts";

export const actions: Record<string, Case> = {
  "actions prepare": {
    words: () => ["log-collector", "set-level"],
    route: "actions.prepare",
    same: (api, { command }) => api.call("commands.get", { params: { commandId: command.id } }),
    part: "command",
  },
  "actions run": {
    words: () => ["log-collector", "rotate-log", "--set", "file=app.log", "--yes"],
    route: "commands.get",
    same: getCommand,
  },
};
