// test/domain/payload/check.test.ts tests which schemas and payloads are refused.

import { expect, test } from "vitest";
import { listenTestApp } from "../helpers/http/http.ts";

test("other requests get responses while two payloads are checked against a malicious pattern", async () => {
  const { registerAgent, apiKey, as, request } = await listenTestApp();
  const inputSchema = { properties: { a: { pattern: "^(a+)+$" } } };
  const actions = [{ name: "run", inputSchema }];
  const { agentToken } = await registerAgent("agent-1", [
    { code: "s", name: "S", version: "1", actions },
  ]);
  const [service] = (await as("viewer").page("services.list")).data;
  const bearer = await apiKey("operator");
  const path = `/api/admin/capsule-services/${service!.id}/actions/run`;
  const body = { payload: { a: `${"a".repeat(60)}!` } };
  const beat = () => request("POST", "/api/agents/heartbeat", { bearer: agentToken, body: {} });
  const two = [1, 2];
  const checks = Promise.all(two.map(() => request("POST", path, { bearer, body })));
  const beats = await Promise.all(two.map(beat));
  expect(beats.map(({ status }) => status)).toEqual([200, 200]);
  for (const check of await checks) {
    const error = { code: "PAYLOAD_INVALID", details: { issues: [{ path: "" }] } };
    expect(check).toMatchObject({ status: 422, body: { error } });
  }
  expect((await request("GET", "/api/system/health")).status).toBe(200);
});
