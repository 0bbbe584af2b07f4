// Tries every way in which a page of another site can act for a signed-in user. Calls with API keys
// skip these checks.

import { describe, expect, test } from "vitest";
import {
  addUser,
  type ListeningApp,
  listenTestApp,
  password,
  refused,
  signIn,
} from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";

const login = "/api/admin/auth/login";
const settings = "/api/admin/settings";
const tokens = "/api/admin/registration-tokens";

interface Scene extends ListeningApp {
  cookie: string;
  csrfToken: string;
  /** This token belongs to another session of the same user. */
  otherToken: string;
}

async function scene(env: Record<string, string> = {}): Promise<Scene> {
  const app = await listenTestApp(env);
  await addUser(app, "owner");
  const { cookie, csrfToken } = await signIn(app, "owner");
  const other = await signIn(app, "owner");
  return { ...app, cookie, csrfToken, otherToken: other.csrfToken };
}

const shared = perFile(scene);

type Attempt = (scene: Scene) => Record<string, string>;

const right: Attempt = ({ csrfToken, url }) => ({
  "x-csrf-token": csrfToken,
  origin: url,
  "sec-fetch-site": "same-origin",
});

const without =
  (name: string): Attempt =>
  (app) =>
    Object.fromEntries(Object.entries(right(app)).filter(([header]) => header !== name));

const changed =
  (changes: Record<string, string>): Attempt =>
  (app) => ({ ...right(app), ...changes });

/**
 * The sign-in route refuses these, too. test/http/site/origins.test.ts tests which origins are
 * foreign.
 */
const fromElsewhere: Record<string, Attempt> = {
  "a foreign origin": changed({ origin: "https://evil.example" }),
  "a fetch across sites": changed({ "sec-fetch-site": "cross-site" }),
};

const wrongToken: Record<string, Attempt> = {
  "no token": without("x-csrf-token"),
  "a wrong token": changed({ "x-csrf-token": "A".repeat(43) }),
  "another session's token": (app) => changed({ "x-csrf-token": app.otherToken })(app),
};

const fine: Record<string, Attempt> = {
  "valid headers": right,
  "a program without browser headers": ({ csrfToken }) => ({ "x-csrf-token": csrfToken }),
};

const create = ({ request }: Scene, headers: Record<string, string>) =>
  request("POST", tokens, { headers, body: {} });

describe("a change with a session", () => {
  test.each(Object.entries({ ...fromElsewhere, ...wrongToken }))(
    "%s: refused, and nothing changes",
    async (name, attempt) => {
      const app = shared();
      const before = await auditCount(app);
      const answer = await create(app, { cookie: app.cookie, ...attempt(app) });
      expect(answer).toMatchObject(refused(403, "CSRF_INVALID"));
      const missing = name === "no token" ? /missing.*auth\/me/ : /not belong|missing/;
      expect(answer.body.error.message).toMatch(name in wrongToken ? missing : /another site/);
      expect(await auditCount(app)).toBe(before);
    },
  );

  test.each(Object.entries(fine))("%s: accepted", async (_, attempt) => {
    const app = shared();
    expect((await create(app, { cookie: app.cookie, ...attempt(app) })).status).toBe(201);
  });

  test.each([
    ["PATCH", settings, 200],
    // 404 shows that the request was accepted.
    ["DELETE", `${tokens}/none`, 404],
  ])("%s needs the token, too", async (method, path, done) => {
    const app = shared();
    const statusWith = async (attempt: Attempt) => {
      const headers = { cookie: app.cookie, ...attempt(app) };
      return (await app.request(method, path, { headers, body: {} })).status;
    };
    expect(await statusWith(without("x-csrf-token"))).toBe(403);
    expect(await statusWith(right)).toBe(done);
  });

  test("an API key needs neither a CSRF token nor an origin", async () => {
    const app = shared();
    const authorization = `Bearer ${await app.apiKey("owner")}`;
    const headers = { authorization, origin: "https://evil.example" };
    expect((await create(app, { ...headers, "sec-fetch-site": "cross-site" })).status).toBe(201);
  });
});

describe("a GET with effects, with a session, needs no token", () => {
  const effects = ["capsule-services/none/actions/none", "commands/none"];
  const agent = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)" };

  test.each<[name: string, headers: Record<string, string>, status: number]>([
    ["a browser without an origin", agent, 404],
    ["a program, which sends no such header", {}, 404],
    ["another site", { ...agent, "sec-fetch-site": "cross-site" }, 403],
  ])("%s", async (_, headers, status) => {
    const { cookie, request } = shared();
    for (const path of effects) {
      const sent = { headers: { cookie, ...headers } };
      expect((await request("GET", `/api/admin/${path}`, sent)).status).toBe(status);
    }
  });
});

test("a read with a session must come from the same site", async () => {
  const { cookie, request } = shared();
  for (const foreign of [{ origin: "https://evil.example" }, { "sec-fetch-site": "same-site" }]) {
    const answer = await request("GET", "/api/admin/agents", { headers: { cookie, ...foreign } });
    expect(answer).toMatchObject(refused(403, "CSRF_INVALID"));
  }
});

describe("signing in", () => {
  const body = { username: "owner", password };

  test.each(Object.entries(fromElsewhere))("%s: refused", async (_, attempt) => {
    const app = shared();
    const answer = await app.request("POST", login, { headers: attempt(app), body });
    expect(answer).toMatchObject(refused(403, "CSRF_INVALID"));
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("needs no token", async () => {
    const app = shared();
    const headers = without("x-csrf-token")(app);
    expect((await app.request("POST", login, { headers, body })).status).toBe(200);
  });
});

describe("with a public address", () => {
  const publicUrl = "https://agents.example.com";
  const forwarded = { "x-forwarded-host": "other.example", "x-forwarded-proto": "https" };
  const other = { ALLOWED_HOSTS: "other.example" };
  type Headers = Record<string, string>;

  test.each<[name: string, env: object, headers: Headers]>([
    ["the public origin, with another Host from the proxy", {}, { origin: publicUrl }],
    ["a trusted proxy's host", other, { origin: "https://other.example", ...forwarded }],
  ])("%s is ours", async (_, env, headers) => {
    const app = await scene({ PUBLIC_URL: publicUrl, TRUST_PROXY: "loopback", ...env });
    const sent = { cookie: app.cookie, "x-csrf-token": app.csrfToken, ...headers };
    expect((await app.request("POST", tokens, { headers: sent, body: {} })).status).toBe(201);
  });
});

async function auditCount({ as }: Scene): Promise<number> {
  return (await as("viewer").page("audit-events.list")).pagination.total;
}
