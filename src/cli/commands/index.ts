// All commands, in the order of the help. Most commands do not load this table (of-group.ts).

import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { CommandSpec, CommandTable } from "../command.ts";
import { commandsOf } from "../nouns/commands.ts";
import { actions } from "./actions/index.ts";
import { agent } from "./agent/index.ts";
import { agents } from "./agents/index.ts";
import { api } from "./api/index.ts";
import { approvals } from "./approvals/index.ts";
import { attention } from "./attention/index.ts";
import { audit } from "./audit/index.ts";
import { bench } from "./bench/index.ts";
import { busEvents, busRoutes } from "./bus/index.ts";
import { commands } from "./commands/index.ts";
import { completion } from "./completion/index.ts";
import { contexts } from "./contexts/index.ts";
import { db } from "./db/index.ts";
import { declarations } from "./declarations/index.ts";
import { demo } from "./demo/index.ts";
import { groupSummaries } from "./group-summaries.ts";
import { host } from "./host/index.ts";
import { groupOf } from "./of-group.ts";
import { policies } from "./policies/index.ts";
import { rollouts } from "./rollouts/index.ts";
import { schedules } from "./schedules/index.ts";
import { server } from "./server/index.ts";
import { services } from "./services/index.ts";
import { sessions } from "./sessions/index.ts";
import { settings } from "./settings/index.ts";
import { system } from "./system/index.ts";
import { users } from "./users/index.ts";
import { views } from "./views/index.ts";
import { watch } from "./watch/index.ts";

const ofNouns = [
  ...commandsOf("registration-tokens"),
  ...agents(),
  ...services(),
  ...attention(),
  ...actions(),
  ...commands(),
  ...rollouts(),
  ...schedules(),
  ...approvals(),
  ...policies(),
  ...users(),
  ...busRoutes(),
  ...busEvents(),
  ...commandsOf("api-keys"),
  ...views(),
];

const otherNouns = (Object.keys(nouns) as NounName[]).filter(
  (name) => !ofNouns.some((spec) => groupOf(spec) === nouns[name].group),
);

export const commandTable: CommandSpec[] = [
  ...server(),
  ...agent(),
  ...host(),
  ...db(),
  ...demo(),
  ...bench(),
  ...sessions(),
  ...contexts(),
  ...ofNouns,
  ...otherNouns.flatMap((name) => commandsOf(name)),
  ...declarations(),
  ...audit(),
  ...settings(),
  ...watch(),
  ...system(),
  ...completion(),
  ...api(),
];

export const commandLine: CommandTable = { commands: commandTable, groupSummaries };
