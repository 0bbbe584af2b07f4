import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";

export const agents = (): CommandSpec[] =>
  commandsOf("agents", {
    print: async () => (await import("./show.ts")).printAgent,
  });
