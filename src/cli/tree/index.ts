// The table of commands: what a person types, and where the function is. One file for each noun, in the
// order of the help. `platformctl.md` documents every one of them; a test compares.

import type { CommandSpec } from "../command.ts";
import { actions } from "./actions.ts";
import { agents } from "./agents.ts";
import { apiKeys } from "./api-keys.ts";
import { auditEvents } from "./audit-events.ts";
import { commands } from "./commands.ts";
import { demo } from "./demo.ts";
import { registrationTokens } from "./registration-tokens.ts";
import { server } from "./server.ts";
import { services } from "./services.ts";
import { system } from "./system.ts";
import { watch } from "./watch.ts";

export const groupSummaries: Record<string, string> = {
  tokens: "Registration tokens: single-use invitations for agents",
  agents: "Agents: who is there, and who may be",
  services: "Managed services and their state",
  actions: "Run what services declare",
  commands: "Commands on their way to agents, and their results",
  "api-keys": "API keys for scripts",
  audit: "The audit trail",
};

export const commandTable: CommandSpec[] = [
  ...server,
  ...demo,
  ...registrationTokens,
  ...agents,
  ...services,
  ...actions,
  ...commands,
  ...apiKeys,
  ...auditEvents,
  ...watch,
  ...system,
];
