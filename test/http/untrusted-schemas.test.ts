// An agent reports the malicious schemas, or returns them from a prepare.

import { describe, expect, test } from "vitest";
import { type ListeningApp, listenTestApp, refused } from "../helpers/http/http.ts";

interface Scene extends ListeningApp {
  execute(body: object): ReturnType<ListeningApp["request"]>;
  beat(): ReturnType<ListeningApp["request"]>;
  /** Makes the agent return this result for the next prepare. */
  prepared(output: object): Promise<{ status: number; commandId: string }>;
}

async function openScene(inputSchema: object): Promise<Scene> {
  const app = await listenTestApp();
  const { agentToken } = await app.registerAgent("agent-1");
  const agent = (method: string, path: string, body?: unknown) =>
    app.request(method, `/api/agents/${path}`, { bearer: agentToken, body });
  const actions = [{ name: "run", inputSchema }];
  const reported = { services: [{ code: "s", name: "S", version: "1", actions }] };
  expect((await agent("POST", "services", reported)).status).toBe(200);
  const [service] = (await app.as("viewer").page("services.list")).data;
  const bearer = await app.apiKey("operator");
  const path = `/api/admin/capsule-services/${service!.id}/actions/run`;
  return {
    ...app,
    execute: (body) => app.request("POST", path, { bearer, body }),
    beat: () => agent("POST", "heartbeat", {}),
    async prepared(output) {
      const answer = app.request("GET", path, { bearer });
      const polled = await agent("GET", "commands?wait=20");
      const [{ id }] = polled.body.data.commands;
      await agent("POST", `commands/${id}/result`, { success: true, output });
      return { status: (await answer).status, commandId: id };
    },
  };
}

const backtracks = { properties: { a: { pattern: "^(a+)+$" } } };
const compilesLong = { properties: { a: { pattern: "[\\p{L}\\p{N}]".repeat(4000) } } };
const fatal = { payload: { a: `${"a".repeat(60)}!` } };

describe.each([
  ["backtracks", backtracks],
  ["takes long to compile", compilesLong],
])("a pattern that %s is refused in time", (_how, schema) => {
  test("in the catalog", async () => {
    const { execute } = await openScene(schema);
    expect(await execute(fatal)).toMatchObject({
      status: 422,
      body: { error: { code: "PAYLOAD_INVALID", details: { issues: [{ path: "" }] } } },
    });
    expect((await execute({ payload: { b: 1 } })).status).toBe(schema === backtracks ? 202 : 422);
  });

  test("in the result of a prepare", async () => {
    const { execute, prepared } = await openScene({});
    const { status, commandId } = await prepared({ inputSchema: schema });
    expect(status).toBe(200);
    expect(await execute({ ...fatal, prepareCommandId: commandId })).toMatchObject(
      refused(422, "PAYLOAD_INVALID"),
    );
    expect((await execute(fatal)).status).toBe(202);
  });
});

test("other requests get responses while five payloads are checked", async () => {
  const { execute, beat, request } = await openScene(backtracks);
  const five = [1, 2, 3, 4, 5];
  const checks = Promise.all(five.map(() => execute(fatal)));
  const beats = await Promise.all(five.map(() => beat()));
  expect(beats.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await checks).map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  expect((await request("GET", "/api/system/health")).status).toBe(200);
});
