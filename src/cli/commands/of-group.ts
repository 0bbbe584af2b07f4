// Loads the commands of one group, because defining all commands takes longer than running one.

import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { CommandSpec } from "../command.ts";
import { commandsOf } from "../nouns/commands.ts";

type Load = () => Promise<CommandSpec[]>;

const host: Load = async () => (await import("./host/index.ts")).host();
const server: Load = async () => (await import("./server/index.ts")).server();
const sessions: Load = async () => (await import("./sessions/index.ts")).sessions();
const system: Load = async () => (await import("./system/index.ts")).system();

/** By the first word of the commands. Nouns without an entry have no other commands. */
const loaders: Readonly<Record<string, Load>> = {
  actions: async () => (await import("./actions/index.ts")).actions(),
  agent: async () => (await import("./agent/index.ts")).agent(),
  agents: async () => (await import("./agents/index.ts")).agents(),
  api: async () => (await import("./api/index.ts")).api(),
  approvals: async () => (await import("./approvals/index.ts")).approvals(),
  apply: async () => (await import("./declarations/index.ts")).declarations(),
  attention: async () => (await import("./attention/index.ts")).attention(),
  audit: async () => (await import("./audit/index.ts")).audit(),
  backup: host,
  commands: async () => (await import("./commands/index.ts")).commands(),
  completion: async () => (await import("./completion/index.ts")).completion(),
  config: server,
  context: async () => (await import("./contexts/index.ts")).contexts(),
  db: async () => (await import("./db/index.ts")).db(),
  diagnostics: system,
  doctor: host,
  events: async () => (await import("./bus/index.ts")).busEvents(),
  health: system,
  login: sessions,
  logout: sessions,
  maintenance: system,
  metrics: system,
  policies: async () => (await import("./policies/index.ts")).policies(),
  ready: server,
  rollouts: async () => (await import("./rollouts/index.ts")).rollouts(),
  routes: async () => (await import("./bus/index.ts")).busRoutes(),
  schedules: async () => (await import("./schedules/index.ts")).schedules(),
  serve: server,
  services: async () => (await import("./services/index.ts")).services(),
  sessions,
  settings: async () => (await import("./settings/index.ts")).settings(),
  users: async () => (await import("./users/index.ts")).users(),
  version: system,
  views: async () => (await import("./views/index.ts")).views(),
  watch: async () => (await import("./watch/index.ts")).watch(),
  whoami: sessions,
};

/** Returns null for other words. The whole table may still have commands that begin with them. */
export async function commandsOfGroup(word: string): Promise<CommandSpec[] | null> {
  const load = Object.hasOwn(loaders, word) ? loaders[word] : undefined;
  if (load) return (await load()).filter((spec) => groupOf(spec) === word);
  const noun = (Object.keys(nouns) as NounName[]).find(
    (name) => (nouns[name] as Noun).group === word,
  );
  return noun === undefined ? null : commandsOf(noun);
}

export function groupOf({ name }: CommandSpec): string {
  return name.split(" ", 1)[0] ?? "";
}
