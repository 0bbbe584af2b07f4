// All commands, in the order of the help. Loading their definitions takes longer than running most
// commands, so a command loads only those with its own first word.

import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import { type CommandSpec, type CommandTable, firstWordOf } from "../command.ts";
import { commandsOf } from "../nouns/commands.ts";

type Load = () => Promise<CommandSpec[]>;

/**
 * The sections of the help, by their headings. The keys in a section are the first words of the
 * commands that the entry loads.
 */
const sections: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  "Sign in": {
    "login logout whoami sessions": async () => (await import("./sessions/index.ts")).sessions(),
    context: async () => (await import("./contexts/index.ts")).contexts(),
  },
  Fleet: {
    tokens: async () => (await import("./tokens/index.ts")).tokens(),
    agents: async () => (await import("./agents/index.ts")).agents(),
    services: async () => (await import("./services/index.ts")).services(),
    views: async () => (await import("./views/index.ts")).views(),
  },
  Work: {
    actions: async () => (await import("./actions/index.ts")).actions(),
    commands: async () => (await import("./commands/index.ts")).commands(),
    rollouts: async () => (await import("./rollouts/index.ts")).rollouts(),
    schedules: async () => (await import("./schedules/index.ts")).schedules(),
  },
  "Rules and access": {
    approvals: async () => (await import("./approvals/index.ts")).approvals(),
    policies: async () => (await import("./policies/index.ts")).policies(),
    users: async () => (await import("./users/index.ts")).users(),
    "api-keys": onlyOfNoun("api-keys"),
  },
  "Event bus (experimental)": {
    routes: async () => (await import("./bus/index.ts")).busRoutes(),
    events: async () => (await import("./bus/index.ts")).busEvents(),
  },
  Watch: {
    attention: async () => (await import("./attention/index.ts")).attention(),
    watch: async () => (await import("./watch/index.ts")).watch(),
    audit: async () => (await import("./audit/index.ts")).audit(),
  },
  Server: {
    "health metrics diagnostics maintenance version": async () =>
      (await import("./system/index.ts")).system(),
    nodes: onlyOfNoun("nodes"),
    settings: async () => (await import("./settings/index.ts")).settings(),
    apply: async () => (await import("./declarations/index.ts")).declarations(),
  },
  "This host": {
    "serve config ready walk-trail read-database copy-database check-database": async () =>
      (await import("./server/index.ts")).server(),
    agent: async () => (await import("./agent/index.ts")).agent(),
    "backup restore migrate doctor install uninstall": async () =>
      (await import("./host/index.ts")).host(),
    db: async () => (await import("./db/index.ts")).db(),
    "demo demo-collector demo-cache": async () => (await import("./demo/index.ts")).demo(),
    "bench bench-load": async () => (await import("./bench/index.ts")).bench(),
  },
  Help: {
    "docs explain": async () => (await import("./docs/index.ts")).docs(),
    completion: async () => (await import("./completion/index.ts")).completion(),
    api: async () => (await import("./api/index.ts")).api(),
  },
};

const entries = Object.entries(sections).flatMap(([heading, section]) =>
  Object.entries(section).map(([words, load]) => ({ heading, words: words.split(" "), load })),
);

/** For a noun whose description defines all of its commands. */
function onlyOfNoun(name: NounName): Load {
  return async () => commandsOf(name);
}

export async function allCommands(): Promise<CommandSpec[]> {
  const loaded = await Promise.all(entries.map(({ load }) => load()));
  return loaded.flat();
}

/** Returns an empty array if no command begins with the word. */
export async function commandsThatBeginWith(word: string): Promise<CommandSpec[]> {
  const entry = entryOf(word);
  return entry ? (await entry.load()).filter((spec) => firstWordOf(spec) === word) : [];
}

/** The heading above the commands that begin with the word, in the help. */
export function headingOf(word: string): string {
  return entryOf(word)?.heading ?? "";
}

function entryOf(word: string) {
  return entries.find(({ words }) => words.includes(word));
}

/** The summaries of groups of commands, by the first word of the group. */
export const groupSummaries: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values<Noun>(nouns).map(({ group, summary }) => [group, summary])),
  context: "Servers that you have signed in to",
  agent: "The agent of this host, which manages its programs (for operators: agents)",
  agents: `${nouns.agents.summary} (on a host: agent)`,
  attention: "Services with problems, acknowledgements and silences",
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
