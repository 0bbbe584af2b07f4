import { expect, test } from "vitest";
import { listenTestApp } from "../helpers/http/http.ts";
import { ended, makeAgent, paramsOf, serviceWith, startAgent } from "./harness.ts";

/** The schema is so permissive that the server accepts every payload. */
const wide = { prepare: () => ({ inputSchema: {} }) };

async function runWith(inputSchema: object, payload: Record<string, never>) {
  const server = await listenTestApp();
  const seen: unknown[] = [];
  const execute = (given: unknown) => void seen.push(given);
  const tested = await startAgent(server, serviceWith({ inputSchema, ...wide, execute } as never));
  const operator = server.as("operator");
  const params = await paramsOf(server);
  const prepared = await operator.call("actions.prepare", { params });
  const body = { payload, prepareCommandId: prepared.command!.id };
  const { command } = await operator.call("actions.execute", { params, body });
  return { command: await ended(server, command.id), seen, tested };
}

const levels = { type: "object", properties: { level: { type: "integer", minimum: 1 } } };

test("a payload that does not match the schema is refused with the path of its error, and nothing runs", async () => {
  const { command, seen } = await runWith(levels, { level: 0 } as never);
  expect(command).toMatchObject({ status: "FAILED", errorCode: "PAYLOAD_INVALID" });
  expect(command.errorMessage).toMatch(/^The payload does not match the action's schema: level: /);
  expect(command.result).toMatchObject({ error: { details: { issues: [{ path: "level" }] } } });
  expect(seen).toEqual([]);
});

test("a payload that matches the schema reaches the handler unchanged", async () => {
  const { command, seen } = await runWith(levels, { level: 3, more: "x" } as never);
  expect(command).toMatchObject({ status: "SUCCEEDED" });
  expect(seen).toEqual([{ level: 3, more: "x" }]);
});

test("an unusable schema is reported, and the command runs", async () => {
  const useless = { properties: { level: { $ref: "#/nowhere" } } };
  const { command, seen, tested } = await runWith(useless, { level: 3 } as never);
  expect(command).toMatchObject({ status: "SUCCEEDED" });
  expect(seen).toEqual([{ level: 3 }]);
  expect(await tested.event("payload.unchecked")).toMatchObject({ level: "warn", action: "work" });
});

test.each([
  ["an invalid pattern", { properties: { a: { pattern: "(" } } }],
  ["an invalid name pattern", { patternProperties: { "(": {} } }],
  ["a reference to a missing schema", { $ref: "#/nowhere" }],
  ["a pattern that is too long", { properties: { a: { pattern: "x".repeat(600) } } }],
])("a schema with %s is refused when it is declared", (_, inputSchema) => {
  const { agent } = makeAgent({ server: "http://127.0.0.1:1", services: [] });
  const [service] = serviceWith({ inputSchema } as never);
  expect(() => agent.service(service!)).toThrow(
    /^Cannot add the service: service collector: actions\.0\.inputSchema: is unusable: /,
  );
});

test.each([
  ["an example of a pattern", { enum: [{ pattern: "(" }] }],
  ["a field called pattern", { properties: { pattern: { type: "string" } } }],
  ["a reference that can be resolved", { $ref: "#/$defs/a", $defs: { a: { type: "object" } } }],
])("a schema with %s is accepted", (_, inputSchema) => {
  const { agent } = makeAgent({ server: "http://127.0.0.1:1", services: [] });
  const [service] = serviceWith({ inputSchema } as never);
  expect(agent.service(service!).code).toBe("collector");
});
