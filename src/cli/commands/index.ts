// All commands, in the order of the help. Loading their definitions takes longer than running most
// commands, so a command loads only those with its own first word.

import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { CommandSpec, CommandTable } from "../command.ts";
import { commandsOf } from "../nouns/commands.ts";

type Load = () => Promise<CommandSpec[]>;

/** The keys are the first words of the commands that the entry loads. */
const groups: Readonly<Record<string, Load>> = {
  "serve config ready walk-trail read-database copy-database check-database": async () =>
    (await import("./server/index.ts")).server(),
  agent: async () => (await import("./agent/index.ts")).agent(),
  "backup restore migrate doctor install uninstall": async () =>
    (await import("./host/index.ts")).host(),
  db: async () => (await import("./db/index.ts")).db(),
  "demo demo-collector demo-agent-file demo-cache": async () =>
    (await import("./demo/index.ts")).demo(),
  "bench bench-load": async () => (await import("./bench/index.ts")).bench(),
  "login logout whoami sessions": async () => (await import("./sessions/index.ts")).sessions(),
  context: async () => (await import("./contexts/index.ts")).contexts(),
  tokens: onlyOfNoun("registration-tokens"),
  agents: async () => (await import("./agents/index.ts")).agents(),
  services: async () => (await import("./services/index.ts")).services(),
  attention: async () => (await import("./attention/index.ts")).attention(),
  actions: async () => (await import("./actions/index.ts")).actions(),
  commands: async () => (await import("./commands/index.ts")).commands(),
  rollouts: async () => (await import("./rollouts/index.ts")).rollouts(),
  schedules: async () => (await import("./schedules/index.ts")).schedules(),
  approvals: async () => (await import("./approvals/index.ts")).approvals(),
  policies: async () => (await import("./policies/index.ts")).policies(),
  users: async () => (await import("./users/index.ts")).users(),
  routes: async () => (await import("./bus/index.ts")).busRoutes(),
  events: async () => (await import("./bus/index.ts")).busEvents(),
  "api-keys": onlyOfNoun("api-keys"),
  views: async () => (await import("./views/index.ts")).views(),
  nodes: onlyOfNoun("nodes"),
  apply: async () => (await import("./declarations/index.ts")).declarations(),
  audit: async () => (await import("./audit/index.ts")).audit(),
  settings: async () => (await import("./settings/index.ts")).settings(),
  watch: async () => (await import("./watch/index.ts")).watch(),
  "health metrics diagnostics maintenance version": async () =>
    (await import("./system/index.ts")).system(),
  "docs explain": async () => (await import("./docs/index.ts")).docs(),
  completion: async () => (await import("./completion/index.ts")).completion(),
  api: async () => (await import("./api/index.ts")).api(),
};

/** For a noun whose description defines all of its commands. */
function onlyOfNoun(name: NounName): Load {
  return async () => commandsOf(name);
}

export async function allCommands(): Promise<CommandSpec[]> {
  const loaded = await Promise.all(Object.values(groups).map((load) => load()));
  return loaded.flat();
}

/** Returns an empty array if no command begins with the word. */
export async function commandsThatBeginWith(word: string): Promise<CommandSpec[]> {
  const [, load] = Object.entries(groups).find(([words]) => words.split(" ").includes(word)) ?? [];
  return load ? (await load()).filter((spec) => firstWordOf(spec) === word) : [];
}

export function firstWordOf({ name }: CommandSpec): string {
  return name.split(" ", 1)[0] ?? "";
}

/** The summaries of groups of commands, by the first word of the group. */
export const groupSummaries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values<Noun>(nouns).map(({ group, summary }) => [group, summary])),
  context: "Servers that you have signed in to",
  agent: "The agent of this host, which manages its programs (for operators: agents)",
  agents: `${nouns.agents.summary} (on a host: agent)`,
  attention: "What is wrong, and acknowledgements and silences",
  actions: "Run the actions of services",
  sessions: "Your sessions",
  audit: "The audit trail",
  settings: "Settings that can be changed while the server runs",
  db: "The database of the server",
  maintenance: "Run the periodic maintenance now, or accept a loss of data",
};

export async function commandLine(): Promise<CommandTable> {
  return { commands: await allCommands(), groupSummaries };
}
