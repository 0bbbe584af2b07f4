// Sessions that change during calls, successive confirmations, and misleading JSON and URLs.

import { afterEach, expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../src/console/client/api-error.ts";
import { type Confirmation, call } from "../../src/console/client/call.ts";
import { readExactJson } from "../../src/console/client/exact-json.ts";
import { forgetCalls } from "../../src/console/client/repeatable.ts";
import { loadSession, signIn } from "../../src/console/client/session.ts";
import { afterRefusal, type Wanted } from "../../src/console/pages/actions/use-run.ts";
import { emptyDraft, ruleOf } from "../../src/console/pages/bus/routes/route-draft.ts";
import { nextPlace } from "../../src/console/pages/login/login-page.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a repeated call keeps its Idempotency-Key until it has succeeded, or another page is open", async () => {
  const replies: (Response | Error)[] = [];
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get("idempotency-key"));
    const reply = replies.shift();
    if (reply instanceof Response) return reply;
    throw reply;
  });
  const refused = (status: number, code: string) => Response.json({ error: { code } }, { status });
  const run = async (reply: Response | Error, action = "restart") => {
    replies.push(reply);
    const params = { serviceId: "svc_1", actionName: action };
    await call("actions.execute", { params, body: {} }).catch(() => undefined);
    return keys.at(-1);
  };
  const first = await run(new TypeError("Failed to fetch"));
  expect(first).toMatch(/^\w{22}$/);
  expect(await run(new Response("<html>"), "reload")).not.toBe(first);
  expect(await run(new Response("{"))).toBe(first);
  expect(await run(new Response("Bad gateway", { status: 502 }))).toBe(first);
  expect(await run(refused(429, "RATE_LIMITED"))).toBe(first);
  expect(await run(Response.json({ data: {} }))).toBe(first);
  const second = await run(new TypeError("Failed to fetch"));
  expect(second).not.toBe(first);
  expect(await run(refused(409, "IDEMPOTENCY_SECRET_GONE"))).toBe(second);
  const third = await run(new TypeError("Failed to fetch"));
  expect(third).not.toBe(second);
  forgetCalls();
  const fourth = await run(new TypeError("Failed to fetch"));
  expect(fourth).not.toBe(third);
  vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() + 5 * 60_000 + 1000);
  expect(await run(Response.json({ data: {} }))).not.toBe(fourth);
  await call("maintenance.run", {}).catch(() => undefined);
  expect(keys.at(-1)).toBeNull();
});

test("a response of an older session does not affect a newer one", async () => {
  const waiting: { path: string; token: string | null; resolve: (answer: Response) => void }[] = [];
  vi.stubGlobal("fetch", (path: string, { headers }: { headers: Headers }) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    waiting.push({ path, token: headers.get("x-csrf-token"), resolve });
    return promise;
  });
  const asked = (end: string) => {
    const at = waiting.findIndex(({ path }) => path.endsWith(end));
    const [one] = waiting.splice(at, 1);
    if (!one) throw new Error(`${end} was not asked for`);
    return one;
  };
  const meOf = (id: string) =>
    Response.json({ data: { user: { id, role: "owner" }, csrfToken: id } });
  const nobody = () => Response.json({ error: { code: "UNAUTHORIZED" } }, { status: 401 });
  const tokenNow = async () => {
    const done = call("maintenance.run", {});
    const { token, resolve } = asked("/maintenance/run");
    resolve(Response.json({ data: {} }));
    await done;
    return token;
  };
  const first = loadSession();
  asked("/auth/me").resolve(meOf("old"));
  await first;
  expect(await tokenNow()).toBe("old");

  const late = loadSession();
  const lateList = call("agents.list", { query: {} });
  const signedIn = signIn("anna", "secret");
  asked("/auth/login").resolve(meOf("new"));
  await signedIn;
  asked("/auth/me").resolve(meOf("old"));
  await late;
  expect(await tokenNow()).toBe("new");
  asked("/agents").resolve(nobody());
  await expect(lateList).rejects.toThrow("UNAUTHORIZED");
  expect(await tokenNow()).toBe("new");

  const list = call("agents.list", { query: {} });
  asked("/agents").resolve(nobody());
  await expect(list).rejects.toThrow("UNAUTHORIZED");
  expect(await tokenNow()).toBeNull();
});

test.each([
  ["/agents?status=ONLINE#x", "/agents?status=ONLINE#x"],
  [null, "/"],
  ["agents", "/"],
  ["//evil.example/x", "/"],
  ["/\t/evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/.//evil.example", "/"],
  ["https://evil.example", "/"],
  ["//[", "/"],
])("after signing in, %j leads to %s", (next, place) => {
  expect(nextPlace(next, "https://platform.example")).toBe(place);
});

test.each<[text: string, problem: string | undefined]>([
  ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}],"d":"\\"a\\":1e400 {","e":-0.5e-3}', undefined],
  ["9007199254740991", undefined],
  ["9007199254740992", "9007199254740992 cannot be sent exactly"],
  ['{"a":[1,-1e400]}', "-1e400 cannot be sent exactly"],
  ['{"a":1,"\\u0061":2}', "“a” occurs twice"],
  ['[{"b":[{}],"__proto__":1,"b":"b"}]', "“b” occurs twice"],
])("JSON %s has the problem %j", (text, problem) => {
  const read = readExactJson(text);
  if (problem) expect(read.problem).toContain(problem);
  else expect(read).toEqual({ value: JSON.parse(text) });
});

test("a rule does not contain values that would change in JSON", () => {
  const data = [{ key: 0, pointer: "/limit", value: "1e400" }];
  const { rule, problems } = ruleOf({ ...emptyDraft(), data });
  expect(problems.get("data.0")).toContain("1e400 cannot be sent exactly");
  expect(rule.match.data).toBeUndefined();
});

test("a later confirmation before a run keeps the earlier ones", () => {
  const wanted: Wanted = {
    ...{ payload: {}, asks: "confirm", isHigh: false },
    ...{ confirmation: true as Confirmation, queue: false, isDisabled: false },
  };
  const refusal = (code: string, details = {}) => new ApiError(409, { code, details });
  const offline = afterRefusal(wanted, refusal("AGENT_OFFLINE"));
  expect(offline).toEqual({ ...wanted, asks: "queue" });
  expect(afterRefusal(wanted, refusal("AGENT_DISABLED"))).toMatchObject({ isDisabled: true });
  const queued = { ...offline, queue: true };
  expect(afterRefusal(queued, new Unreachable(null))).toEqual(queued);
  expect(afterRefusal(queued, refusal("SERVER_STOPPING"))).toEqual(queued);
  const details = { dangerLevel: "HIGH" };
  expect(afterRefusal(queued, refusal("CONFIRMATION_REQUIRED", details))).toEqual({
    ...queued,
    ...{ asks: "confirm", isHigh: true },
  });
});
