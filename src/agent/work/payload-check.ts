// The server may have used an older schema, or the schema that `prepare` returned.

import type { Issue } from "../../domain/errors.ts";
import { type Findings, findIssues } from "../../domain/payload/check.ts";
import type { Json } from "../../domain/payload/json.ts";
import type { Action } from "../services/services.ts";
import { type CommandResult, type DeliveredCommand, failed } from "./commands.ts";

export function findingsOf({ type, payload }: DeliveredCommand, action: Action): Findings {
  const { inputSchema } = action;
  if (type === "ACTION_PREPARE" || inputSchema === undefined) return { issues: [], usable: true };
  return findIssues(payload, inputSchema as Parameters<typeof findIssues>[1]);
}

export function payloadInvalid(issues: Issue[]): CommandResult {
  const [first] = issues;
  const where = first?.path ? `${first.path}: ` : "";
  const message = `The payload does not match the action's schema: ${where}${first?.message}`;
  return failed("PAYLOAD_INVALID", message, { issues } as unknown as Json);
}
