// What the chosen services of a rollout declare: the fields for `--set`, the values that are missing
// in the payload, and the actions with similar names.

import { isDeepStrictEqual } from "node:util";
import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { didYouMean, nearest } from "../../../lib/nearest.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";
import { applySettings, checkSettings, readSettings } from "../actions/payload.ts";

export type Request = Body<"rollouts.create">;
export type Preview = Reply<"rollouts.preview">;

/** The maximum number of services whose declarations are read. */
const mostAsked = 20;

async function declarationsOf(api: Client, services: readonly { serviceId: string }[]) {
  const asked = services.slice(0, mostAsked).map(async ({ serviceId }) => {
    const { code, actions } = await api.call("services.get", { params: { serviceId } });
    return { serviceCode: code, actions };
  });
  return Promise.all(asked);
}

/** Reads `--set` by the chosen services' schemas: `version=1.1` can be a number or text. */
export async function withSettings(
  { io, options }: { io: Invocation["io"]; options: Record<string, unknown> },
  api: Client,
  request: Request,
): Promise<Request> {
  const settings = readSettings((options.set as string[] | undefined) ?? []);
  if (settings.length === 0) return request;
  const payload: JsonObject = request.payload ?? {};
  const plain = { ...request, payload: applySettings(payload, settings, {}) };
  const { waves, leftOut } = await api.call("rollouts.preview", { body: plain });
  const chosen = [...waves.flatMap(({ services }) => services), ...leftOut];
  const declared = (await declarationsOf(api, chosen)).flatMap(({ serviceCode, actions }) => {
    const action = actions.find(({ name }) => name === request.action);
    return action ? [{ serviceCode, schema: action.inputSchema }] : [];
  });
  const schemas = declared.map(({ schema }) => schema);
  checkSettings({ io, action: { name: request.action } }, payload, settings, schemas);
  const [first, ...others] = declared.map(({ serviceCode, schema }) => {
    return { serviceCode, payload: applySettings(payload, settings, schema) };
  });
  if (!first) return plain;
  const other = others.find((each) => !isDeepStrictEqual(each.payload, first.payload));
  if (!other) return { ...request, payload: first.payload };
  throw usageError(
    `--set: ${printableLine(first.serviceCode)} and ${printableLine(other.serviceCode)} declare the fields ` +
      "with different types. Give the payload as JSON: --payload, or --payloads for each service.",
  );
}

/**
 * If nothing would run because values are missing in the payload, throws an error that names the
 * flags for them.
 */
export async function requirePayload(
  api: Client,
  { action, payload, payloadByService }: Pick<Request, "action" | "payload" | "payloadByService">,
  { total, leftOut }: Preview,
): Promise<void> {
  const incomplete = leftOut.find(({ code }) => code === "PAYLOAD_INVALID");
  if (total > 0 || !incomplete || payloadByService?.[incomplete.serviceCode]) return;
  const { serviceId } = incomplete;
  const { actions } = await api.call("services.get", { params: { serviceId } });
  const declared = actions.find(({ name }) => name === action);
  if (declared) await requireValues(declared.inputSchema, payload ?? {});
}

/** Throws an error that names the flags for the values that are missing in the payload. */
export async function requireValues(schema: JsonObject, payload: JsonObject): Promise<void> {
  const { requireComplete } = await import("../../form/fill-in.ts");
  const { terminalForm } = await import("../../form/terminal-form.ts");
  const copy = structuredClone(payload);
  requireComplete(terminalForm(schema, copy), copy, "");
}

/** Returns a sentence with a leading space, or "" unless no chosen service declares the action. */
export async function similarAction(
  api: Client,
  action: string,
  { total, leftOut }: Preview,
): Promise<string> {
  if (total > 0 || leftOut.some(({ code }) => code !== "ACTION_NOT_FOUND")) return "";
  const declared = await declarationsOf(api, leftOut);
  const names = declared.flatMap(({ actions }) => actions.map(({ name }) => name));
  const similar = nearest(action, names);
  return didYouMean(similar === null ? null : printableLine(similar));
}
