import { nouns } from "../../../api/contract/nouns.ts";
import { historyDays } from "../../../domain/fleet/service-history.ts";
import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { labelOf } from "../../nouns/label-command.ts";
import { argumentFor, callsApi, hiddenActions, option } from "../../options.ts";

const service = argumentFor("services");

const print = async () => (await import("./show.ts")).printService;

const own: CommandSpec[] = [
  labelOf(nouns.services, print, [
    "services label redis tier=cache",
    "services label redis web-1 team=shop",
  ]),
  {
    name: "services move",
    summary: "Move a service to another agent, which must be online",
    args: [service],
    options: [
      option("--to <agent>", "the new agent, whose reports the server then accepts", {
        completes: "agents",
      }),
    ],
    ...callsApi,
    examples: ["services move redis --to edge-9"],
    run: async () => (await import("./move.ts")).moveService,
  },
  {
    name: "services history",
    summary: "Show the changes of a service's status, and the service's uptime for each day",
    args: [service],
    options: [
      option("--days <count>", `days to show, including today, 1 to ${historyDays.max}`, {
        kind: "integer",
        default: 7,
      }),
    ],
    ...callsApi,
    onlyPrints: true,
    examples: ["services history redis", "services history redis --days 30 -o json"],
    run: async () => (await import("./history.ts")).showHistory,
  },
  {
    name: "services actions",
    summary: "List the actions of a service, as `actions list` does",
    args: [service],
    options: [hiddenActions],
    output: "rows",
    destination: true,
    run: async () => (await import("../actions/list.ts")).listActions,
  },
];

export const services = (): CommandSpec[] =>
  commandsOf("services", {
    own,
    print,
  });
