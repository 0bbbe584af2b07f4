import { type Case, commandColumns, commandName, getCommand } from "./case.ts";

export const commands: Record<string, Case> = {
  "commands list": {
    words: async (world) => {
      await world.execute("sleeper", "snore");
      return ["--limit", "1"];
    },
    route: "commands.list",
    same: async (api) => (await api.page("commands.list", { query: { pageSize: 1 } })).data,
    columns: commandColumns,
    named: commandName,
  },
  "commands get": {
    words: async (world) => [await world.execute("sleeper", "snore")],
    route: "commands.get",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
  "commands wait": {
    words: async (world) => [await world.execute("log-collector", "set-level")],
    route: "commands.get",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
  "commands cancel": {
    words: async (world) => [await world.execute("sleeper", "snore")],
    route: "commands.cancel",
    same: getCommand,
    columns: commandColumns,
    named: commandName,
  },
};
