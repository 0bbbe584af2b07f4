import { viewedLists } from "../../../domain/saved-views.ts";
import type { CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { argumentFor, callsApi, option, requestId } from "../../options.ts";

const content: OptionSpec[] = [
  option(
    "--set <parameter=value>",
    "a filter such as status=OFFLINE, sort=COLUMN, or columns=A,B; repeatable",
    {
      kind: "repeat",
    },
  ),
];

const own: CommandSpec[] = [
  {
    name: "views create",
    summary: "Save a view of a list",
    args: [{ name: "<name>", summary: "the view's name" }],
    options: [
      option("--list <list>", "the list that the view is for", { choices: [...viewedLists] }),
      ...content,
      option("--shared", "share the view with everybody"),
      requestId,
    ],
    ...callsApi,
    examples: [
      "views create offline-agents --list agents --set status=OFFLINE --set sort=code",
      "views create unhealthy --list services --set health=DOWN --shared",
    ],
    run: async () => (await import("./save.ts")).createView,
  },
  {
    name: "views update",
    summary: "Change what a saved view contains",
    args: [argumentFor("saved-views")],
    options: [
      option("--name <name>", "the new name"),
      ...content,
      option("--unset <parameter>", "remove a parameter; repeatable", { kind: "repeat" }),
    ],
    ...callsApi,
    examples: ["views update offline-agents --set sort=-last-seen --unset columns"],
    run: async () => (await import("./save.ts")).updateView,
  },
];

export const views = (): CommandSpec[] => commandsOf("saved-views", { own });
