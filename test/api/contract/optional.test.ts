// In calls by agents, an optional field may be null, which means the same as leaving it out.

import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  checkBody,
  heartbeatBody,
  outputBody,
  registerBody,
  reportBody,
  resultBody,
} from "../../../src/api/shapes/agent-call-schemas.ts";

const agent = { code: "edge-1", mode: "sidecar" };
const service = { code: "web", name: "Web", version: "1" };
const config = { key: "level", type: "string" };
const health = { serviceCode: "web", healthStatus: "UP" };

/** Bodies with only the required fields, each with the path of an object in the body. */
const places: [what: string, schema: z.ZodType, body: object, path: (string | number)[]][] = [
  ["a registration", registerBody, { agent }, []],
  ["its agent", registerBody, { agent }, ["agent"]],
  ["its service", registerBody, { agent, service }, ["service"]],
  ["a check", checkBody, { agent: { code: "edge-1" } }, []],
  ["a heartbeat", heartbeatBody, {}, []],
  ["its agent", heartbeatBody, { agent: {} }, ["agent"]],
  ["its health", heartbeatBody, { health: [health] }, ["health", 0]],
  ["a report", reportBody, { services: [] }, []],
  ["its service", reportBody, { services: [service] }, ["services", 0]],
  [
    "its health",
    reportBody,
    { services: [{ ...service, health: { status: "UP" } }] },
    ["services", 0, "health"],
  ],
  [
    "its config",
    reportBody,
    { services: [{ ...service, configs: [config] }] },
    [...["services", 0, "configs", 0]],
  ],
  [
    "its action",
    reportBody,
    { services: [{ ...service, actions: [{ name: "run" }] }] },
    [...["services", 0, "actions", 0]],
  ],
  ["a result", resultBody, { success: false }, []],
  ["its error", resultBody, { success: false, error: {} }, ["error"]],
  ["output", outputBody, { chunks: [] }, []],
];

/** Optional fields in which null is a value of its own. */
const keepNull = ["output", "data"];

describe.each(places)("in %s", (_, schema, body, path) => {
  test("null is the same as no field", () => {
    const optional = optionalFields(schema, path).filter((name) => !keepNull.includes(name));
    expect(optional.length).toBeGreaterThan(0);
    const expected = schema.parse(body);
    for (const name of optional) {
      const changed = structuredClone(body);
      (at(changed, path) as Record<string, unknown>)[name] = null;
      expect(schema.parse(changed), name).toEqual(expected);
    }
  });
});

test("a required field must not be null", () => {
  expect(registerBody.safeParse({ agent: { ...agent, mode: null } }).success).toBe(false);
  expect(resultBody.safeParse({ success: null }).success).toBe(false);
});

function optionalFields(schema: z.ZodType, path: (string | number)[]): string[] {
  type Node = Record<string, never> & { anyOf?: Node[]; properties?: Record<string, Node> };
  const options = { io: "input", unrepresentable: "any" } as const;
  let node = z.toJSONSchema(schema, options) as unknown as Node;
  const whole = (found: Node): Node => found.anyOf?.map(whole).find(isContainer) ?? found;
  const isContainer = (found: Node) => "properties" in found || "items" in found;
  for (const step of path) {
    node = whole(node);
    node = (typeof step === "number" ? node.items : node.properties?.[step]) as Node;
  }
  const { properties = {}, required = [] } = whole(node) as Node & { required?: string[] };
  return Object.keys(properties).filter((name) => !required.includes(name));
}

function at(value: unknown, path: (string | number)[]): unknown {
  return path.reduce((inner: unknown, step) => (inner as Record<string, unknown>)[step], value);
}
