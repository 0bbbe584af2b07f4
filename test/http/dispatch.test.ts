import { expect, test } from "vitest";
import { authenticateSession } from "../../src/core/access/sessions.ts";
import { presentCaller } from "../../src/core/caller.ts";
import { createDispatch } from "../../src/http/dispatch.ts";
import { JsonText } from "../../src/http/requests/body.ts";
import { addUser, signIn, updateUser } from "../core/access/people.ts";
import { openTestApp, testCall } from "../helpers/app.ts";

const gone = new Error("the file is gone");

test("a request to a route that cannot be loaded gets an internal error, which is logged", async () => {
  const { core } = openTestApp().app;
  const logged: unknown[] = [];
  core.log.error = (...words: unknown[]) => void logged.push(...words);
  const dispatch = createDispatch(core, () => Promise.reject(gone));
  expect(await dispatch({ ...testCall, route: "agents.list" })).toMatchObject({
    status: 500,
    body: { success: false, error: { code: "INTERNAL_ERROR", requestId: "req_test" } },
  });
  expect(logged).toEqual([
    { requestId: "req_test", route: "agents.list", err: gone },
    "request failed",
  ]);
});

test("a caller whose access ends while the body arrives changes nothing", async () => {
  const { app, clock, as } = openTestApp();
  const owner = as("owner");
  const role = "operator" as const;
  const { id: keyId, key } = await owner.call("api-keys.create", { body: { name: "pager", role } });
  const principal = await app.core.credentials.apiKey(key);
  const call = { ...testCall, route: "registration-tokens.create", principal } as const;
  const body = async () => new JsonText("{}", { bytes: 100 });
  expect(await app.dispatch({ ...call, readBody: body })).toMatchObject({ status: 201 });
  const slowly = async () => {
    await owner.call("api-keys.revoke", { params: { keyId } });
    clock.advance(1000);
    return body();
  };
  expect(await app.dispatch({ ...call, readBody: slowly })).toMatchObject({
    status: 401,
    body: { error: { code: "UNAUTHORIZED" } },
  });
  expect(await owner.call("registration-tokens.list", {})).toHaveLength(1);
});

test("a call that waited for its turn is refused if its user was disabled meanwhile", async () => {
  const scene = openTestApp();
  const { app, clock } = scene;
  const { id } = await addUser(scene, "ann", "operator");
  const principal = await authenticateSession(app.core, await signIn(scene, "ann"));
  const leave = await app.core.heavyCalls.enter(principal, presentCaller);
  const begun = Promise.withResolvers<void>();
  const onGone = () => {
    begun.resolve();
    return () => undefined;
  };
  const body = { action: "rotate", selector: "" };
  const caller = { ...presentCaller, onGone };
  const waiting = app.dispatch({ ...testCall, route: "rollouts.preview", principal, body, caller });
  await begun.promise;
  await updateUser(scene, id, { status: "DISABLED" });
  clock.advance(1000);
  leave();
  expect(await waiting).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
});

test("the body of a registration without a token is not validated", async () => {
  const { app } = openTestApp();
  const read: string[] = [];
  const labels = new Proxy(
    {},
    {
      ownKeys() {
        read.push("labels");
        return [];
      },
    },
  );
  const { status, body } = await app.dispatch({
    ...testCall,
    route: "agent.register",
    body: { agent: { code: "a", mode: "m", labels } },
  });
  expect([status, (body as { error: { code: string } }).error.code]).toEqual([
    401,
    "REGISTRATION_TOKEN_INVALID",
  ]);
  expect(read).toEqual([]);
});

test("a refusal lists at most 50 issues", async () => {
  const { app, registerAgent } = openTestApp();
  const { principal } = await registerAgent();
  const body = { services: Array(100).fill({}) };
  const call = { ...testCall, route: "agent.report", principal, body } as const;
  const answer = await app.dispatch(call);
  expect(answer.status).toBe(422);
  const { error } = answer.body as { error: { details: { issues: unknown[] } } };
  expect(error.details.issues).toHaveLength(50);
});
