// The table of commands: what a person types, and where the function is. One file for each noun, in the
// order of the help. `platformctl.md` documents every one of them; a test compares.

import type { CommandSpec, CommandTable } from "../command.ts";
import { actionCatalog } from "./action-catalog.ts";
import { actions } from "./actions.ts";
import { agent } from "./agent.ts";
import { agents } from "./agents.ts";
import { api } from "./api.ts";
import { apiKeys } from "./api-keys.ts";
import { auditEvents } from "./audit-events.ts";
import { busEvents } from "./bus-events.ts";
import { busRoutes } from "./bus-routes.ts";
import { commands } from "./commands.ts";
import { completion } from "./completion.ts";
import { contexts } from "./contexts.ts";
import { demo } from "./demo.ts";
import { host } from "./host.ts";
import { installation } from "./installation.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { server } from "./server.ts";
import { services } from "./services.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { system } from "./system.ts";
import { users } from "./users.ts";
import { watch } from "./watch.ts";

export const groupSummaries: Record<string, string> = {
  context: "Servers that you have signed in to",
  tokens: "Registration tokens: single-use invitations for agents",
  agent: "The agent of this host, which manages its programs (for operators: agents)",
  agents: "Agents: who is there, and who may be (on a host: agent)",
  services: "Managed services and their state",
  actions: "Run what services declare",
  commands: "Commands on their way to agents, and their results",
  users: "The people who administer",
  sessions: "The places where you are signed in",
  routes: "Routes of the event bus: which events become which commands (experimental)",
  events: "Events of the event bus, and what came of them (experimental)",
  "api-keys": "API keys for scripts",
  audit: "The audit trail",
  settings: "Settings that can be changed while the server runs",
  maintenance: "What the server does by the clock, done now",
};

export const commandTable: CommandSpec[] = [
  ...server,
  ...agent,
  ...host,
  ...installation,
  ...demo,
  ...sessions,
  ...contexts,
  ...registrationTokens,
  ...agents,
  ...services,
  ...actionCatalog,
  ...actions,
  ...commands,
  ...users,
  ...busRoutes,
  ...busEvents,
  ...apiKeys,
  ...auditEvents,
  ...settings,
  ...watch,
  ...system,
  ...completion,
  ...api,
];

export const commandLine: CommandTable = { commands: commandTable, groupSummaries };
