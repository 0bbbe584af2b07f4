// The audit events about nouns, collected from the files of this folder.
// Written by scripts/write-tables.ts: do not edit.

import { audited as agents } from "../agents.ts";
import { audited as apiKeys } from "../api-keys.ts";
import { audited as busEvents } from "../bus/bus-events.ts";
import { audited as busRoutes } from "../bus/bus-routes.ts";
import { audited as commands } from "../commands.ts";
import { audited as registrationTokens } from "../registration-tokens.ts";
import { audited as services } from "../services.ts";
import { audited as users } from "../users.ts";

export const nounActions = [
  ...agents.actions,
  ...apiKeys.actions,
  ...busEvents.actions,
  ...busRoutes.actions,
  ...commands.actions,
  ...registrationTokens.actions,
  ...services.actions,
  ...users.actions,
] as const;

export const nounTargetTypes = [
  agents.targetType,
  apiKeys.targetType,
  busEvents.targetType,
  busRoutes.targetType,
  commands.targetType,
  registrationTokens.targetType,
  services.targetType,
  users.targetType,
] as const;
