// How `--set` and missing values are compared with what the services of a rollout declare.

import { expect, test } from "vitest";
import { previewWithSettings } from "../../../src/cli/commands/rollouts/declared.ts";
import type { Client } from "../../../src/client/client.ts";
import { AppError } from "../../../src/domain/errors.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";

const text = { type: "string" };
const closed = { type: "object", properties: { level: text }, additionalProperties: false };

interface Fleet {
  /** The schemas of the services, or an error instead of each response. */
  declared: readonly (JsonObject | AppError)[];
  /** Why the services are left out. */
  codes?: readonly string[];
  payloadByService?: JsonObject;
}

async function previewed({ declared, codes = [], payloadByService }: Fleet, ...set: string[][]) {
  const calls: string[] = [];
  const notes: string[] = [];
  const services = declared.map((_, n) => ({ serviceId: `${n}`, serviceCode: `web-${n}` }));
  const leftOut = codes.map((code, n) => ({ ...services[n], code }));
  const waves = [{ services: services.slice(leftOut.length) }];
  const preview = { total: services.length - leftOut.length, waves, leftOut };
  const api = {
    async call(name: string, { params }: { params: { serviceId: string } }) {
      calls.push(name);
      if (name === "rollouts.preview") return preview;
      const inputSchema = declared[Number(params.serviceId)];
      if (inputSchema instanceof AppError) throw inputSchema;
      return { actions: [{ name: "deploy", inputSchema }] };
    },
  };
  const wanted = {
    io: { note: (line: string) => void notes.push(line) },
    options: {},
    settings: set.map(([key = "", value = ""]) => ({ path: [key], text: value })),
    advice: "Use a file.",
  };
  const body = { action: "deploy", selector: "", payload: {}, payloadByService };
  const found = previewWithSettings(api as unknown as Client, body as never, wanted);
  const payload = await found.then(
    ({ request }) => request.payload,
    (error: Error) => error.message,
  );
  return { payload, calls, notes };
}

const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);

test("a field that none of the services declares is refused, unless some were not asked", async () => {
  const mistyped = ["levle", "info"];
  expect(await previewed({ declared: times(20, closed) }, mistyped)).toMatchObject({
    payload: expect.stringContaining("there is no field levle; did you mean level?"),
  });
  const many = await previewed({ declared: times(21, closed) }, mistyped);
  expect(many.payload).toEqual({ levle: "info" });
  expect(many.notes).toEqual([
    "warning: deploy declares no field levle (did you mean level?); it is sent anyway.\n",
  ]);
  const refused = { declared: times(21, closed), codes: times(21, "PAYLOAD_INVALID") };
  expect(await previewed(refused, mistyped)).toMatchObject({
    payload: expect.stringContaining("there is no field levle; did you mean level?"),
    notes: [],
  });
  const open = { ...closed, additionalProperties: true };
  const some = await previewed({ declared: [closed, open] }, ["colour", "red"]);
  expect(some).toMatchObject({ payload: { colour: "red" }, notes: [] });
});

test("only services with the action and without a payload of their own are asked", async () => {
  const declared = [...times(20, new AppError("INTERNAL_ERROR", "no")), closed];
  const codes = times(20, "ACTION_NOT_FOUND");
  const { payload, calls } = await previewed({ declared, codes }, ["level", "1.10"]);
  expect(payload).toEqual({ level: "1.10" });
  expect(calls).toEqual(["rollouts.preview", "services.get", "rollouts.preview"]);
  const number = { type: "object", properties: { level: { type: "number" } } };
  const both = { declared: [closed, number] };
  expect((await previewed(both, ["level", "1.10"])).payload).toBe(
    "--set: web-0 and web-1 declare the fields with different types. Use a file.",
  );
  const own = await previewed({ ...both, payloadByService: { "web-1": {} } }, ["level", "1.10"]);
  expect(own.payload).toEqual({ level: "1.10" });
});

test("a value that is not JSON needs no second preview, and without a value no service is read", async () => {
  expect((await previewed({ declared: [closed] }, ["level", "info"])).calls).toEqual([
    "rollouts.preview",
    "services.get",
  ]);
  expect((await previewed({ declared: [closed] })).calls).toEqual(["rollouts.preview"]);
});

const needing = { type: "object", required: ["version"], properties: { version: text } };
const needs = "the action needs a value. Provide:\n  --set version=… (text)";

test.each<[codes: string[], payloadByService: JsonObject | undefined, payload: unknown]>([
  [["PAYLOAD_INVALID", "PAYLOAD_INVALID"], undefined, needs],
  [["ACTION_NOT_FOUND", "PAYLOAD_INVALID"], undefined, needs],
  [["PAYLOAD_INVALID", "PAYLOAD_INVALID"], { "web-0": {} }, needs],
  [["PAYLOAD_INVALID", "PAYLOAD_INVALID"], { "web-0": {}, "web-1": {} }, {}],
  [["PAYLOAD_INVALID"], undefined, {}],
  [["PAYLOAD_INVALID", "AGENT_OFFLINE"], undefined, {}],
  [["ACTION_NOT_FOUND", "ACTION_NOT_FOUND"], undefined, {}],
])("with %j and own payloads %j, values are missing: %j", async (codes, own, payload) => {
  const fleet = { declared: [needing, needing], codes };
  expect(await previewed(own ? { ...fleet, payloadByService: own } : fleet)).toMatchObject({
    payload,
  });
});

test("without the schema, the preview says why nothing would run", async () => {
  const declared = [new AppError("RATE_LIMITED", "Too many requests.")];
  const fleet = { declared, codes: ["PAYLOAD_INVALID"] };
  expect(await previewed(fleet)).toMatchObject({ payload: {} });
  // However, it does not guess types.
  expect(await previewed(fleet, ["version", "1.10"])).toMatchObject({
    payload: "Too many requests.",
  });
});
