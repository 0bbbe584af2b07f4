import type { World } from "../world.ts";
import { type Case, getCommand } from "./case.ts";

export const commands: Record<string, Case> = {
  "commands list": {
    words: async (world) => {
      await world.execute("sleeper", "snore");
      return ["--limit", "1"];
    },
    route: "commands.list",
    same: async (api) => (await api.page("commands.list", { query: { pageSize: 1 } })).data,
  },
  "commands get": {
    words: async (world) => [await world.execute("sleeper", "snore")],
    route: "commands.get",
    same: getCommand,
  },
  "commands wait": {
    words: async (world) => [await world.execute("log-collector", "set-level")],
    route: "commands.get",
    same: getCommand,
  },
  "commands cancel": {
    words: async (world) => [await world.execute("sleeper", "snore")],
    route: "commands.cancel",
    same: getCommand,
  },
  "commands retry": {
    words: async (world) => [await failedOnce(world)],
    route: "commands.get",
    same: getCommand,
  },
};

/** A command that has failed and will succeed the next time. */
async function failedOnce(world: World): Promise<string> {
  const { client } = await world.registerAgent("edge-3", [
    { code: "moody", name: "Moody", version: "1", actions: [{ name: "try" }] },
  ]);
  const answerNext = async (body: { success: boolean }) => {
    const { commands } = await client.call("agent.poll", { query: { wait: 30 } });
    for (const { id } of commands) {
      await client.call("agent.result", { params: { commandId: id }, body });
    }
  };
  const commandId = await world.execute("moody", "try");
  await answerNext({ success: false });
  void answerNext({ success: true });
  return commandId;
}
