import { nouns } from "../../../api/contract/nouns.ts";
import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { labelOf } from "../../nouns/label-command.ts";

const print = async () => (await import("./show.ts")).printAgent;

export const agents = (): CommandSpec[] =>
  commandsOf("agents", {
    own: [
      labelOf(nouns.agents, print, [
        "agents label edge-7 env=prod team-",
        "agents label -l region=eu tier=web",
      ]),
    ],
    print,
  });
