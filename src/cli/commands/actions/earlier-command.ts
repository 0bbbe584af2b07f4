// Finds the command of an earlier `actions run` with the same --request-id. A repeated run does not
// prepare the action again, because the agent could return different values.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Json, JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { parsePointer } from "../../../lib/json/json-pointer.ts";
import { answerTo } from "../../connecting/request-ids.ts";
import type { Path } from "../../form/places.ts";
import { applySettings, readSettings } from "./payload.ts";
import type { Target } from "./payload-source.ts";

type Created = Reply<"actions.execute">;
type Command = NonNullable<Created["command"]>;
type Approval = NonNullable<Created["approval"]>;

/** An execution is a command, or waits for approval. */
export type Made = { command: Command; approval: null } | { command: null; approval: Approval };

/** Throws IDEMPOTENCY_KEY_REUSED if the id belongs to another action or to other `--set` values. */
export async function earlierCommand(
  target: Target,
  requestId: string,
  set: string[] = [],
): Promise<Made | null> {
  const { api, service, action } = target;
  const found = await answerTo(api, requestId);
  if (!found) return null;
  const { command = null, approval = null } = found.answer as Partial<Created>;
  const made = command ?? approval;
  const isSame =
    found.route === "actions.execute" &&
    made?.serviceId === service.id &&
    made.action === action.name;
  if (!isSame || !made) throw reused(requestId, `a call to ${found.route}`);
  const { payload, withheld } = command
    ? await api.call("commands.get", { params: { commandId: command.id } })
    : await requestedPayload(api, made.id);
  // Redacted values cannot be compared.
  const secrets = withheld.map((pointer) => parsePointer(pointer) ?? []);
  const settings = readSettings(set).filter(
    ({ path }) => !secrets.some((secret) => isWithin(path, secret) || isWithin(secret, path)),
  );
  const asGiven = applySettings(payload, settings, action.inputSchema);
  if (!jsonEqual(asText(payload), asText(asGiven)))
    throw reused(requestId, `${made.id} with other values`);
  return { command, approval } as Made;
}

async function requestedPayload(api: Client, approvalId: string) {
  const { content, withheld } = await api.call("approvals.get", { params: { approvalId } });
  return { payload: content.payload as JsonObject, withheld };
}

function isWithin(place: Path, other: Path): boolean {
  return other.every((key, at) => key === place[at]);
}

/** Converts values to text, because only the earlier run knew the types of the prepared values. */
function asText(payload: JsonObject): unknown {
  return JSON.parse(JSON.stringify(payload), (_key, value: Json) =>
    typeof value === "object" && value !== null ? value : String(value),
  );
}

function reused(requestId: string, by: string): AppError {
  return new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    `The request id ${requestId} belongs to ${by}: use another one for a new run.`,
  );
}
