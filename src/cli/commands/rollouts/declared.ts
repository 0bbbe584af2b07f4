// Previews rollouts, and compares their payload with what the services declare for the action.

import { isDeepStrictEqual } from "node:util";
import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { usageError } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import type { NoteOptions } from "../../terminal/notes.ts";
import { applySettings, type Setting } from "../actions/payload.ts";

export type Request = Body<"rollouts.create">;
export type Preview = Reply<"rollouts.preview">;
type LeftOut = Preview["leftOut"][number];
type Chosen = Pick<LeftOut, "serviceId" | "serviceCode">;

/** The maximum number of services whose declarations are read. */
const mostAsked = 20;

interface Settings {
  io: Pick<Io, "note">;
  options: NoteOptions;
  settings: readonly Setting[];
  /** What to do if the services declare the fields with different types. */
  advice: string;
}

/**
 * Adds the values of `--set` to the payload, with the types that the services' schemas declare:
 * the 1.1 in `version=1.1` can be a number or text. Throws a usage error for a mistyped key, or if
 * nothing would run because values are missing.
 */
export async function previewWithSettings(
  api: Client,
  given: Request,
  wanted: Settings,
): Promise<{ request: Request; preview: Preview }> {
  const { settings } = wanted;
  let request = { ...given, payload: applySettings(given.payload ?? {}, settings, {}) };
  let preview = await api.call("rollouts.preview", { body: request });
  if (settings.length > 0) {
    const payload = await typedPayload(api, given, preview, wanted);
    if (!isDeepStrictEqual(payload, request.payload)) {
      request = { ...given, payload };
      preview = await api.call("rollouts.preview", { body: request });
    }
  }
  await requirePayload(api, request, preview);
  return { request, preview };
}

async function typedPayload(
  api: Client,
  request: Request,
  { total, waves, leftOut }: Preview,
  { io, options, settings, advice }: Settings,
): Promise<JsonObject> {
  const { action, payload = {} } = request;
  const services = [...waves.flatMap((wave) => wave.services), ...leftOut.filter(declaresAction)];
  const chosen = services.filter((service) => !hasOwnPayload(request, service));
  const asked = chosen.slice(0, mostAsked).map(async (service) => {
    const schema = await schemaOf(api, action, service);
    return schema ? [{ code: printableLine(service.serviceCode), schema }] : [];
  });
  const declared = (await Promise.all(asked)).flat();
  const schemas = declared.map(({ schema }) => schema);
  const { checkSettings } = await import("../actions/check-settings.ts");
  // If every service refuses the payload, nothing would be sent.
  const isPart = chosen.length > mostAsked && total > 0;
  checkSettings({ io, options, action: { name: action } }, payload, settings, schemas, isPart);
  const read = declared.map(({ code, schema }) => {
    return { code, payload: applySettings(payload, settings, schema) };
  });
  const [first] = read;
  if (!first) return applySettings(payload, settings, {});
  const other = read.find((each) => !isDeepStrictEqual(each.payload, first.payload));
  if (!other) return first.payload;
  const what = `${first.code} and ${other.code} declare the fields with different types`;
  throw usageError(`--set: ${what}. ${advice}`);
}

function declaresAction({ code }: LeftOut): boolean {
  return code !== "ACTION_NOT_FOUND";
}

function hasOwnPayload({ payloadByService = {} }: Request, { serviceCode }: Chosen): boolean {
  return Object.hasOwn(payloadByService, serviceCode);
}

async function schemaOf(
  api: Client,
  action: string,
  { serviceId }: Chosen,
): Promise<JsonObject | undefined> {
  const { actions } = await api.call("services.get", { params: { serviceId } });
  return actions.find(({ name }) => name === action)?.inputSchema;
}

/**
 * Throws an error that names the flags for missing values. Does nothing if a service was left out
 * for another reason, such as being offline: the payload is valid for that service.
 */
async function requirePayload(
  api: Client,
  request: Request,
  { total, leftOut }: Preview,
): Promise<void> {
  const declaring = leftOut.filter(declaresAction);
  const incomplete = declaring.find((service) => !hasOwnPayload(request, service));
  if (total > 0 || !incomplete || declaring.some(({ code }) => code !== "PAYLOAD_INVALID")) return;
  // Without the schema, the caller still says why nothing would run.
  const schema = await schemaOf(api, request.action, incomplete).catch(() => undefined);
  if (!schema) return;
  const { requireComplete } = await import("../../form/fill-in.ts");
  const { terminalForm } = await import("../../form/terminal-form.ts");
  const copy = structuredClone(request.payload ?? {});
  requireComplete(terminalForm(schema, copy), copy, "");
}
