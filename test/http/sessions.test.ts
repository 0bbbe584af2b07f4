// test/core/access tests each use case's own behaviour.

import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { testWorld } from "../helpers/app.ts";
import {
  addUser,
  type ListeningApp,
  listenTestApp,
  refused,
  type SignedIn,
  signIn,
} from "../helpers/http/http.ts";
import { listenInSight } from "./raw.ts";

const hour = 3_600_000;
const login = "/api/admin/auth/login";
const me = "/api/admin/auth/me";
const logout = "/api/admin/auth/logout";

/** The app has an operator, who is named like the role. */
async function scene(env: Record<string, string> = {}): Promise<ListeningApp> {
  const app = await listenTestApp(env);
  await addUser(app, "operator");
  return app;
}

describe("signing in", () => {
  test("returns the user, the CSRF token and the expiry, as `auth.me` does", async () => {
    const app = await scene({ WORKSPACE_NAME: "north", CAPSULE_BUS_ENABLED: "true" });
    const { answer, cookie, csrfToken } = await signIn(app, "operator");
    expect(answer.body.data).toEqual({
      user: {
        id: expect.stringMatching(/^usr_/),
        username: "operator",
        displayName: null,
        role: "operator",
      },
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      installation: {
        ...{ workspaceName: "north", version: expect.any(String), busEnabled: true },
        commandTtlSeconds: 300,
        thresholds: { offlineSeconds: 90, suppressSeconds: 900, serviceStaleSeconds: 120 },
      },
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
      commandTtlSeconds: 300,
      thresholds: { offlineSeconds: 90, suppressSeconds: 900, serviceStaleSeconds: 120 },
    });
  });

  test("sets no cookie if it fails", async () => {
    const { request } = await scene();
    const answer = await request("POST", login, {
      body: { username: "operator", password: "wrong" },
    });
    expect(answer).toMatchObject(refused(401, "UNAUTHORIZED"));
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("an invalid cookie is refused", async () => {
    const { request } = await listenTestApp();
    for (const value of ["", "x", "A".repeat(43), "a=b; platform_session2=x", "%00"]) {
      const headers = { cookie: `platform_session=${value}` };
      expect(await request("GET", me, { headers })).toMatchObject(refused(401, "UNAUTHORIZED"));
    }
  });
});

test("a cookie is used despite another Authorization scheme, but not despite an invalid bearer token", async () => {
  const app = await scene();
  const { cookie } = await signIn(app, "operator");
  const read = (headers: Record<string, string>) => app.request("GET", me, { headers });
  expect((await read({ cookie, authorization: "Basic YTpi" })).status).toBe(200);
  expect((await read({ cookie, authorization: "Bearer nonsense" })).status).toBe(401);
  expect((await read({ authorization: "Basic YTpi" })).status).toBe(401);
});

describe("a session ends", () => {
  const isOpen = async (app: ListeningApp, { cookie }: SignedIn) => {
    const { status } = await app.request("GET", me, { headers: { cookie } });
    expect([200, 401]).toContain(status);
    return status === 200;
  };

  test("by signing out", async () => {
    const app = await scene();
    const session = await signIn(app, "operator");
    const { headers } = session;
    const answer = await app.request("POST", logout, { headers });
    expect(answer.body.data).toEqual({ signedOut: true });
    expect(answer.headers.get("set-cookie")).toBe(
      "platform_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0",
    );
    expect(answer.headers.get("clear-site-data")).toBe('"cache"');
    expect(await isOpen(app, session)).toBe(false);
    expect((await app.request("POST", logout, { headers })).status).toBe(401);
  });

  test("when the session secret is changed", async () => {
    const app = await scene({ SESSION_SECRET: "a".repeat(32) });
    const session = await signIn(app, "operator");
    const statusUnder = async (sessionSecret: string) => {
      const config = { ...app.config, sessionSecret };
      const restarted = createApp(config, app, testWorld);
      const { port } = await listenInSight({ ...app, app: restarted });
      const headers = { cookie: session.cookie };
      return (await fetch(`http://127.0.0.1:${port}${me}`, { headers })).status;
    };
    expect(await statusUnder("a".repeat(32))).toBe(200);
    expect(await statusUnder("b".repeat(32))).toBe(401);
  });
});

test("a refusal names the required role, and is audited before the body is read", async () => {
  const app = await scene();
  const session = await signIn(app, "operator");
  const headers = { ...session.headers, "user-agent": "browser" };
  const [route, needed] = ["users.create", { role: "operator", needed: "owner" }];
  for (const [contentType, body] of [
    ["application/json", "{}"],
    ["application/json", `{}${" ".repeat(300_000)}`],
    ["text/plain", "{}"],
  ] as const) {
    app.clock.advance(61_000);
    const sent = { ...headers, "content-type": contentType };
    const answer = await app.request("POST", "/api/admin/users", { headers: sent, body });
    expect(answer).toMatchObject(refused(403, "FORBIDDEN"));
    expect(answer.body.error.details).toEqual(needed);
    const query = { action: "access.denied" };
    const [denied] = (await app.as("owner").page("audit-events.list", { query })).data;
    expect(denied).toMatchObject({
      ...{ actorType: "USER", actorName: "operator", targetId: route, result: "DENIED" },
      ...{ metadata: needed, ip: "127.0.0.1", userAgent: "browser" },
      requestId: answer.headers.get("x-request-id"),
    });
  }
});

test("an API key needs no CSRF token, has no session, and cannot sign out", async () => {
  const { apiKey, request } = await listenTestApp();
  const bearer = await apiKey();
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
