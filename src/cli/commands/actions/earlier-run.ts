// Finds what an earlier `actions run` with the same --request-id created. A repeated run does
// not prepare the action again, because the agent could return different values.

import type { Reply } from "../../../api/index.ts";
import { AppError } from "../../../domain/errors.ts";
import { putAt, valueAt } from "../../../domain/form/places.ts";
import type { Json, JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { parsePointer } from "../../../lib/json/json-pointer.ts";
import { answerTo } from "../../connecting/request-ids.ts";
import { getNamed } from "../../names/resolve.ts";
import { applySettings, readSettings } from "./payload.ts";
import type { PayloadOptions } from "./payload-source.ts";
import type { Target } from "./target.ts";

type Created = Reply<"actions.execute">;

/**
 * Returns the command, or, if there is none yet, the request for approval. Throws
 * IDEMPOTENCY_KEY_REUSED if the id belongs to another action or to other values.
 */
export async function earlierRun(
  target: Target,
  requestId: string,
  given: Given,
): Promise<Created | null> {
  const { api, service, action } = target;
  const found = await answerTo(api, requestId);
  if (!found) return null;
  // Older servers do not send `approval`.
  const { command = null, approval = null } = found.answer as Partial<Created>;
  const made = command ?? approval;
  const isSame =
    found.route === "actions.execute" &&
    made?.serviceId === service.id &&
    made.action === action.name;
  if (!isSame || !made) throw reused(requestId, `a call to ${found.route}`);
  if (command) {
    requireSame(target, requestId, given, await getNamed(api, "commands", command.id));
    return { command, approval: null };
  }
  const approvalId = made.id;
  const asked = await api.call("approvals.get", { params: { approvalId } });
  const payload = asked.content.payload as JsonObject;
  requireSame(target, requestId, given, { id: approvalId, payload, withheld: asked.withheld });
  if (asked.commandId === null) return { command: null, approval: asked };
  return { command: await getNamed(api, "commands", asked.commandId), approval: null };
}

type Given = Pick<PayloadOptions, "set" | "payload">;

interface Sent {
  id: string;
  payload: JsonObject;
  withheld: readonly string[];
}

function requireSame(
  { action }: Target,
  requestId: string,
  { set = [], payload: whole }: Given,
  { id, payload, withheld }: Sent,
): void {
  const given = applySettings(whole ?? payload, readSettings(set), action.inputSchema);
  // Redacted values cannot be compared.
  for (const path of withheld.map((pointer) => parsePointer(pointer) ?? [])) {
    const redacted = valueAt(payload, path);
    if (redacted !== undefined && valueAt(given, path) !== undefined) putAt(given, path, redacted);
  }
  // With --set, only the earlier run knew the types of the prepared values.
  const form = whole !== undefined && set.length === 0 ? (one: JsonObject) => one : asText;
  if (!jsonEqual(form(payload), form(given))) {
    throw reused(requestId, `${id} with other values`);
  }
}

/** Converts all values to text. */
function asText(payload: JsonObject): unknown {
  return JSON.parse(JSON.stringify(payload), (_key, value: Json) =>
    typeof value === "object" && value !== null ? value : String(value),
  );
}

function reused(requestId: string, by: string): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `The request id ${requestId} belongs to ${by}: use another id for a new run.`,
  );
}
