import { type Case, commandColumns, commandName, getCommand } from "./case.ts";

export const actions: Record<string, Case> = {
  "actions prepare": {
    words: () => ["log-collector", "set-level"],
    route: "actions.prepare",
    same: (api, { command }) => api.call("commands.get", { params: { commandId: command.id } }),
    part: "command",
    columns: ["action", "danger"],
    named: commandName,
  },
  "actions run": {
    words: () => ["log-collector", "rotate-log", "--set", "file=app.log", "--yes"],
    route: "commands.get",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
};
