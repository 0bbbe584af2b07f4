// Signing in over HTTP: the cookie, the CSRF token, where a request may come from, how a session
// ends, and what each role may do with it. Programs with keys are at the end.

import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import type { Role } from "../../src/domain/principals.ts";
import { insertUser } from "../../src/store/tables/users.ts";
import { type TestApp, testWorld } from "../helpers/app.ts";
import { type HttpAnswer, type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { listenInSight } from "./raw.ts";

const hour = 3_600_000;
const password = "correct horse battery";
const login = "/api/admin/auth/login";
const me = "/api/admin/auth/me";
const logout = "/api/admin/auth/logout";
const tokens = "/api/admin/registration-tokens";

/** A listening app with a user for each role, named like it. */
async function scene(env: Record<string, string> = {}): Promise<ListeningApp> {
  const app = await listenTestApp(env);
  for (const role of ["viewer", "operator", "owner"] as const) await addUser(app, role);
  return app;
}

async function addUser({ app: { core } }: TestApp, role: Role): Promise<void> {
  const passwordHash = await core.passwords.hash(password);
  const id = core.newId("usr");
  await core.db.write((tx) => insertUser(tx, { id, username: role, role, passwordHash }));
}

interface Session {
  /** As a browser sends it back. */
  cookie: string;
  csrfToken: string;
  answer: HttpAnswer;
}

async function signIn(app: ListeningApp, username: string): Promise<Session> {
  const answer = await app.request("POST", login, { body: { username, password } });
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { cookie, csrfToken: answer.body.data.csrfToken, answer };
}

function refused(status: number, code: string): object {
  return { status, body: { success: false, error: { code } } };
}

describe("signing in", () => {
  test("answers the user, the CSRF token and the end; `me` says the same", async () => {
    const app = await scene({ WORKSPACE_NAME: "north", CAPSULE_BUS_ENABLED: "true" });
    const { answer, cookie, csrfToken } = await signIn(app, "operator");
    expect(answer.body.data).toEqual({
      user: { id: expect.stringMatching(/^usr_/), username: "operator", role: "operator" },
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      installation: { workspaceName: "north", version: expect.any(String), busEnabled: true },
      expiresAt: new Date(app.clock.now() + 8 * hour).toISOString(),
    });
    const again = await app.request("GET", me, { headers: { cookie } });
    expect(again.body.data).toEqual({ ...answer.body.data, csrfToken });
    await app.as("owner").call("settings.update", { body: { workspaceName: "south" } });
    const renamed = await app.request("GET", me, { headers: { cookie } });
    const { version } = app.app.core.settings.version;
    expect(renamed.body.data.installation).toEqual({
      workspaceName: "south",
      version,
      busEnabled: true,
    });
  });

  test("takes the name in any case, and makes a new session each time", async () => {
    const app = await scene();
    const [first, second] = [await signIn(app, "Owner"), await signIn(app, "OWNER")];
    expect(first.cookie).not.toBe(second.cookie);
    expect(first.csrfToken).not.toBe(second.csrfToken);
  });

  test("a wrong password and an unknown user are told the same, and both are audited", async () => {
    const { request, as } = await scene();
    const answers = [
      await request("POST", login, { body: { username: "owner", password: "wrong" } }),
      await request("POST", login, { body: { username: "nobody", password } }),
    ];
    for (const { status, body, headers } of answers) {
      expect({ status, ...body.error, requestId: null }).toEqual({
        status: 401,
        code: "UNAUTHORIZED",
        message: "The username or the password is wrong.",
        requestId: null,
      });
      expect(headers.get("set-cookie")).toBeNull();
    }
    const query = { action: "session.login.failed" };
    const { data } = await as("viewer").page("audit-events.list", { query });
    expect(data[0]?.metadata).toEqual({});
    expect(data).toMatchObject([
      // A name that is none here may be a password in the wrong field: it is not kept.
      { result: "DENIED", metadata: {} },
      { result: "DENIED", metadata: { username: "owner" } },
    ]);
  });

  test.each<{ name: string; env: Record<string, string>; cookie: RegExp }>([
    {
      name: "over HTTP",
      env: {},
      cookie: /^platform_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    },
    {
      name: "behind an HTTP address",
      env: { PUBLIC_URL: "http://agents.example.com" },
      cookie: /^platform_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    },
    {
      name: "behind an HTTPS address",
      env: { PUBLIC_URL: "https://agents.example.com" },
      cookie: /^__Host-platform_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    },
  ])("the cookie $name", async ({ env, cookie }) => {
    const app = await scene(env);
    const session = await signIn(app, "viewer");
    expect(session.answer.headers.get("set-cookie")).toMatch(cookie);
    const headers = { cookie: `a=b; ${session.cookie}; c=d` };
    expect((await app.request("GET", me, { headers })).status).toBe(200);
  });

  test.each(["", "x", "A".repeat(43), "a=b; platform_session2=x", "%00"])(
    "a cookie of '%s' is nobody",
    async (value) => {
      const { request } = await scene();
      const headers = { cookie: `platform_session=${value}` };
      expect(await request("GET", me, { headers })).toMatchObject(refused(401, "UNAUTHORIZED"));
    },
  );

  test("the cookie of an HTTP site is none of an HTTPS site", async () => {
    const app = await scene({ PUBLIC_URL: "https://agents.example.com" });
    const { cookie } = await signIn(app, "viewer");
    const headers = { cookie: cookie.replace("__Host-", "") };
    expect((await app.request("GET", me, { headers })).status).toBe(401);
  });
});

describe("beside the cookie", () => {
  test("reading needs no token, but the same site: some reads do something", async () => {
    const app = await scene();
    const { cookie } = await signIn(app, "viewer");
    const read = (headers: Record<string, string>) =>
      app.request("GET", me, { headers: { cookie, ...headers } });
    expect((await read({})).status).toBe(200);
    expect((await read({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    for (const foreign of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ]) {
      expect(await read(foreign)).toMatchObject(refused(403, "CSRF_INVALID"));
    }
  });

  test("a cookie counts beside a scheme that is meant for a proxy; a bad bearer token does not", async () => {
    const app = await scene();
    const { cookie } = await signIn(app, "viewer");
    const read = (authorization: string) =>
      app.request("GET", me, { headers: { cookie, authorization } });
    expect((await read("Basic YTpi")).status).toBe(200);
    expect((await read("Bearer nonsense")).status).toBe(401);
    const { status } = await app.request("GET", me, { headers: { authorization: "Basic YTpi" } });
    expect(status).toBe(401);
  });
});

describe("a session ends", () => {
  const isOpen = async (app: ListeningApp, { cookie }: Session) => {
    const { status } = await app.request("GET", me, { headers: { cookie } });
    expect([200, 401]).toContain(status);
    return status === 200;
  };

  test("by signing out, and only this one", async () => {
    const app = await scene();
    const [session, other] = [await signIn(app, "viewer"), await signIn(app, "viewer")];
    const headers = { cookie: session.cookie, "x-csrf-token": session.csrfToken };
    const answer = await app.request("POST", logout, { headers });
    expect(answer.body.data).toEqual({ signedOut: true });
    expect(answer.headers.get("set-cookie")).toBe(
      "platform_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0",
    );
    expect(answer.headers.get("clear-site-data")).toBe('"cache"');
    expect(await isOpen(app, session)).toBe(false);
    expect(await isOpen(app, other)).toBe(true);
    expect((await app.request("POST", logout, { headers })).status).toBe(401);
    const { data } = await app
      .as("viewer")
      .page("audit-events.list", { query: { action: "session.logout" } });
    expect(data).toMatchObject([{ actorType: "USER", actorName: "viewer" }]);
  });

  test("when the session secret is changed", async () => {
    const app = await scene({ SESSION_SECRET: "a".repeat(32) });
    const session = await signIn(app, "viewer");
    const statusUnder = async (sessionSecret: string) => {
      const config = { ...app.config, sessionSecret };
      const restarted = createApp(config, app, { ...testWorld, now: app.clock.now });
      const { port } = await listenInSight({ ...app, app: restarted });
      const headers = { cookie: session.cookie };
      return (await fetch(`http://127.0.0.1:${port}${me}`, { headers })).status;
    };
    expect(await statusUnder("a".repeat(32))).toBe(200);
    expect(await statusUnder("b".repeat(32))).toBe(401);
  });
});

describe("against guessing", () => {
  const body = { username: "owner", password: "wrong" };

  test("the sixth try is 429, says when to come again, and then may", async () => {
    const { request, clock } = await scene();
    for (let n = 0; n < 5; n++) {
      expect(await request("POST", login, { body })).toMatchObject(refused(401, "UNAUTHORIZED"));
    }
    const answer = await request("POST", login, { body: { ...body, password } });
    expect(answer).toMatchObject(refused(429, "RATE_LIMITED"));
    expect(answer.headers.get("set-cookie")).toBeNull();
    const retryAfter = answer.headers.get("retry-after") ?? "";
    expect(retryAfter).toMatch(/^\d+$/);
    expect(Number(retryAfter)).toBeGreaterThan(14 * 60);
    expect(Number(retryAfter)).toBeLessThanOrEqual(15 * 60);
    clock.advance(Number(retryAfter) * 1000);
    expect((await request("POST", login, { body: { ...body, password } })).status).toBe(200);
  });

  test("with a stolen session, too", async () => {
    const app = await scene();
    const { cookie, csrfToken } = await signIn(app, "owner");
    const headers = { cookie, "x-csrf-token": csrfToken };
    const change = (currentPassword: string) =>
      app.request("POST", "/api/admin/auth/password", {
        headers,
        body: { currentPassword, newPassword: "another sentence of many" },
      });
    for (let n = 0; n < 5; n++) {
      expect(await change("wrong")).toMatchObject(refused(422, "VALIDATION_FAILED"));
    }
    const answer = await change(password);
    expect(answer).toMatchObject(refused(429, "RATE_LIMITED"));
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(14 * 60);
  });
});

describe("one's own password", () => {
  const path = "/api/admin/auth/password";
  const body = { currentPassword: password, newPassword: "another sentence of many" };

  test("is changed with a session and its CSRF token; all sessions go on", async () => {
    const app = await scene();
    const [session, other] = [await signIn(app, "viewer"), await signIn(app, "viewer")];
    const { cookie, csrfToken } = session;
    const without = await app.request("POST", path, { headers: { cookie }, body });
    expect(without).toMatchObject(refused(403, "CSRF_INVALID"));
    const headers = { cookie, "x-csrf-token": csrfToken };
    const answer = await app.request("POST", path, { headers, body });
    expect(answer).toMatchObject({ status: 200, body: { data: { changed: true } } });
    for (const { cookie } of [session, other]) {
      expect((await app.request("GET", me, { headers: { cookie } })).status).toBe(200);
    }
    const again = (given: string) =>
      app.request("POST", login, { body: { username: "viewer", password: given } });
    expect((await again(password)).status).toBe(401);
    expect((await again(body.newPassword)).status).toBe(200);
  });

  test("is nothing that a program has", async () => {
    const { as, request } = await scene();
    const wanted = { name: "a program", role: "owner" } as const;
    const { key: bearer } = await as("owner").call("api-keys.create", { body: wanted });
    expect(await request("POST", path, { bearer, body })).toMatchObject(refused(403, "FORBIDDEN"));
    expect(await request("POST", path, { body })).toMatchObject(refused(401, "UNAUTHORIZED"));
  });
});

describe("what a role may do", () => {
  const keys = "/api/admin/api-keys";
  const key = { name: "k", role: "viewer" };

  test.each<{ role: Role; reads: number; makesTokens: number; makesKeys: number }>([
    { role: "viewer", reads: 200, makesTokens: 403, makesKeys: 403 },
    { role: "operator", reads: 200, makesTokens: 201, makesKeys: 403 },
    { role: "owner", reads: 200, makesTokens: 201, makesKeys: 201 },
  ])("$role, with a session and with a key", async ({ role, reads, makesTokens, makesKeys }) => {
    const app = await scene();
    const { cookie, csrfToken } = await signIn(app, role);
    const body = { name: "a program", role };
    const { key: bearer } = await app.as("owner").call("api-keys.create", { body });
    for (const headers of [
      { cookie, "x-csrf-token": csrfToken },
      { authorization: `Bearer ${bearer}` },
    ] as Record<string, string>[]) {
      const statuses = [
        (await app.request("GET", "/api/admin/agents", { headers })).status,
        (await app.request("POST", tokens, { headers, body: {} })).status,
        (await app.request("POST", keys, { headers, body: key })).status,
      ];
      expect(statuses).toEqual([reads, makesTokens, makesKeys]);
    }
  });

  test("reaching for more is FORBIDDEN, says what is needed, and leaves a trace", async () => {
    const app = await scene();
    const { cookie, csrfToken } = await signIn(app, "operator");
    const headers = { cookie, "x-csrf-token": csrfToken, "user-agent": "browser" };
    const answer = await app.request("POST", keys, { headers, body: key });
    expect(answer).toMatchObject(refused(403, "FORBIDDEN"));
    expect(answer.body.error.details).toEqual({ role: "operator", needed: "owner" });
    const { data } = await app
      .as("viewer")
      .page("audit-events.list", { query: { action: "access.denied" } });
    expect(data).toMatchObject([
      {
        actorType: "USER",
        actorName: "operator",
        targetId: "api-keys.create",
        result: "DENIED",
        metadata: { role: "operator", needed: "owner" },
        ip: "127.0.0.1",
        userAgent: "browser",
        requestId: answer.headers.get("x-request-id"),
      },
    ]);
  });

  test.each([
    { name: "no JSON", body: "{" },
    { name: "too much", body: `{}${" ".repeat(300_000)}` },
    { name: "no valid body", body: '{"role":"king"}' },
    { name: "another content type", body: "{}", contentType: "text/plain" },
  ])("is refused and noted before the body is read: $name", async ({ body, contentType }) => {
    const app = await scene();
    const { cookie, csrfToken } = await signIn(app, "viewer");
    const headers = { cookie, "x-csrf-token": csrfToken };
    const sent = { ...headers, "content-type": contentType ?? "application/json" };
    const answer = await app.request("POST", keys, { headers: sent, body });
    expect(answer).toMatchObject(refused(403, "FORBIDDEN"));
    const query = { action: "access.denied" };
    expect((await app.as("viewer").page("audit-events.list", { query })).data).toMatchObject([
      { actorName: "viewer", targetId: "api-keys.create", metadata: { role: "viewer" } },
    ]);
    expect((await app.request("GET", me, { headers })).status).toBe(200);
  });
});

describe("an API key", () => {
  test("needs no CSRF token, has no session, and nothing to sign out of", async () => {
    const { as, request } = await scene();
    const body = { name: "a program", role: "viewer" } as const;
    const { key: bearer } = await as("owner").call("api-keys.create", { body });
    const answer = await request("GET", me, { bearer });
    expect(answer.body.data).toMatchObject({
      user: { username: "a program", role: "viewer" },
      csrfToken: null,
      expiresAt: null,
    });
    const out = await request("POST", logout, { bearer });
    expect(out.body.data).toEqual({ signedOut: false });
    expect((await request("GET", me, { bearer })).status).toBe(200);
  });

  test("ends when it expires, also one that has just been used", async () => {
    const { as, request, clock } = await scene();
    const body = { name: "a program", role: "viewer", expiresInSeconds: 60 } as const;
    const { key: bearer } = await as("owner").call("api-keys.create", { body });
    clock.advance(59_999);
    expect((await request("GET", me, { bearer })).status).toBe(200);
    clock.advance(1);
    const answer = await request("GET", me, { bearer });
    expect(answer).toMatchObject(refused(401, "UNAUTHORIZED"));
    expect(answer.body.error.message).toContain("expired");
  });

  test("counts before a cookie that comes with it", async () => {
    const app = await scene();
    const { cookie } = await signIn(app, "owner");
    const headers = { cookie, authorization: "Bearer platform_key_nonsense" };
    expect((await app.request("GET", me, { headers })).status).toBe(401);
  });
});
