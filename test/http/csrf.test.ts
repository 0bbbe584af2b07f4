// Every way in which a page of somebody else may try to act for a person who is signed in here, over
// every kind of change. Programs with keys are asked for none of it.

import { describe, expect, test } from "vitest";
import { routes } from "../../src/api/index.ts";
import { insertUser } from "../../src/store/tables/users.ts";
import { type HttpAnswer, type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";

const password = "correct horse battery";
const login = "/api/admin/auth/login";
const settings = "/api/admin/settings";
const tokens = "/api/admin/registration-tokens";

interface Scene extends ListeningApp {
  cookie: string;
  csrfToken: string;
  /** The token of another session of the same user. */
  otherToken: string;
}

async function scene(env: Record<string, string> = {}): Promise<Scene> {
  const app = await listenTestApp(env);
  const { core } = app.app;
  const passwordHash = await core.passwords.hash(password);
  const user = { id: core.newId("usr"), username: "owner", role: "owner" as const, passwordHash };
  await core.db.write((tx) => insertUser(tx, user));
  const signIn = async () => {
    const answer = await app.request("POST", login, { body: { username: "owner", password } });
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    return { cookie, csrfToken: answer.body.data.csrfToken as string };
  };
  const [own, other] = [await signIn(), await signIn()];
  return { ...app, ...own, otherToken: other.csrfToken };
}

const shared = perFile(scene);

/** What a browser sends beside the cookie. */
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

/** Where it comes from is wrong: sign-in refuses that too. */
const fromElsewhere: Record<string, Attempt> = {
  "a foreign origin": (app) => ({ ...right(app), origin: "https://evil.example" }),
  "a sibling origin": (app) => ({
    ...right(app),
    origin: app.url.replace("127.0.0.1", "x.127.0.0.1"),
  }),
  "a neighbour on another port": (app) => ({ ...right(app), origin: "http://127.0.0.1:1" }),
  "the null origin": (app) => ({ ...right(app), origin: "null" }),
  "a fetch across sites": (app) => ({ ...right(app), "sec-fetch-site": "cross-site" }),
  "a fetch across sites that hides its origin": ({ csrfToken }) => ({
    "x-csrf-token": csrfToken,
    "sec-fetch-site": "cross-site",
  }),
  "a sibling's fetch that hides its origin": ({ csrfToken }) => ({
    "x-csrf-token": csrfToken,
    "sec-fetch-site": "same-site",
  }),
};

const wrongToken: Record<string, Attempt> = {
  "no token": without("x-csrf-token"),
  "an empty token": (app) => ({ ...right(app), "x-csrf-token": "" }),
  "a wrong token": (app) => ({ ...right(app), "x-csrf-token": "A".repeat(43) }),
  "the right token, cut": (app) => ({
    ...right(app),
    "x-csrf-token": app.csrfToken.slice(0, -1),
  }),
  "another session's token": (app) => ({ ...right(app), "x-csrf-token": app.otherToken }),
};

const fine: Record<string, Attempt> = {
  "all as it should be": right,
  "an old browser": without("sec-fetch-site"),
  "the address bar": (app) => ({ ...without("origin")(app), "sec-fetch-site": "none" }),
  "a program": ({ csrfToken }) => ({ "x-csrf-token": csrfToken }),
};

interface Change {
  name: string;
  make: (app: Scene, headers: Record<string, string>) => Promise<HttpAnswer>;
  done: number;
}

const changes: Change[] = [
  {
    name: "POST",
    make: ({ request }, headers) => request("POST", tokens, { headers, body: {} }),
    done: 201,
  },
  {
    name: "PATCH",
    make: ({ request }, headers) =>
      request("PATCH", settings, { headers, body: { workspaceName: "changed" } }),
    done: 200,
  },
  ...deletions(),
];

/** There is nothing of that name: whoever comes that far was let in. */
function deletions(): Change[] {
  const path = routes["registration-tokens.delete"].path.replace(/:\w+/g, "none");
  const make: Change["make"] = ({ request }, headers) => request("DELETE", path, { headers });
  return [{ name: `DELETE ${path}`, make, done: 404 }];
}

describe.each(changes)("$name with a session", ({ make, done }) => {
  test.each(Object.entries({ ...fromElsewhere, ...wrongToken }))(
    "%s: refused, and nothing is changed",
    async (name, attempt) => {
      const app = shared();
      const before = await auditCount(app);
      const answer = await make(app, { cookie: app.cookie, ...attempt(app) });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "CSRF_INVALID" } } });
      const missing = name === "no token" ? /missing.*auth\/me/ : /not belong|missing/;
      expect(answer.body.error.message).toMatch(name in wrongToken ? missing : /another site/);
      expect(await auditCount(app)).toBe(before);
    },
  );

  test.each(Object.entries(fine))("%s: done", async (_, attempt) => {
    const app = shared();
    const answer = await make(app, { cookie: app.cookie, ...attempt(app) });
    expect(answer.status).toBe(done);
  });

  test("an API key needs none of it", async () => {
    const app = shared();
    const body = { name: "a program", role: "owner" } as const;
    const { key } = await app.as("owner").call("api-keys.create", { body });
    const headers = { authorization: `Bearer ${key}`, origin: "https://evil.example" };
    const answer = await make(app, { ...headers, "sec-fetch-site": "cross-site" });
    expect(answer.status).toBe(done);
  });
});

describe("a GET with effects, with a session", () => {
  const prepare = "/api/admin/capsule-services/none/actions/none";
  const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)" };

  test.each<[name: string, headers: (app: Scene) => Record<string, string>, status: number]>([
    ["a browser that does not say where it comes from", () => browser, 403],
    ["one with a wrong token", () => ({ ...browser, "x-csrf-token": "A".repeat(43) }), 403],
    ["one with the token", (app) => ({ ...browser, "x-csrf-token": app.csrfToken }), 404],
    ["one that says so", () => ({ ...browser, "sec-fetch-site": "same-origin" }), 404],
    ["a program, which sends no such header", () => ({}), 404],
  ])("%s", async (_, headers, status) => {
    const app = shared();
    const sent = { cookie: app.cookie, ...headers(app) };
    expect((await app.request("GET", prepare, { headers: sent })).status).toBe(status);
    const command = await app.request("GET", "/api/admin/commands/none", { headers: sent });
    expect(command.status).toBe(status);
    // Plain reading asks for nothing.
    const list = await app.request("GET", "/api/admin/agents", { headers: sent });
    expect(list.status).toBe(200);
  });
});

describe("signing in", () => {
  const body = { username: "owner", password };

  test.each(Object.entries(fromElsewhere))("%s: refused", async (_, attempt) => {
    const app = shared();
    const answer = await app.request("POST", login, { headers: attempt(app), body });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "CSRF_INVALID" } } });
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test.each(Object.entries({ ...fine, ...wrongToken }))(
    "%s: no token is asked for",
    async (_, attempt) => {
      const app = shared();
      const answer = await app.request("POST", login, { headers: attempt(app), body });
      expect(answer.status).toBe(200);
    },
  );
});

describe("behind a public address", () => {
  const publicUrl = "https://agents.example.com";
  const proxied = { PUBLIC_URL: publicUrl, TRUST_PROXY: "loopback" };

  test.each<{ name: string; env?: object; headers: Record<string, string>; status: number }>([
    {
      name: "the public origin, though the proxy asks for another host",
      headers: { origin: publicUrl },
      status: 201,
    },
    {
      name: "the public host over HTTP",
      headers: { origin: "http://agents.example.com" },
      status: 403,
    },
    {
      name: "the host that a trusted proxy tells",
      env: { ALLOWED_HOSTS: "other.example" },
      headers: {
        origin: "https://other.example",
        "x-forwarded-host": "other.example",
        "x-forwarded-proto": "https",
      },
      status: 201,
    },
    {
      name: "that host over HTTP",
      env: { ALLOWED_HOSTS: "other.example" },
      headers: {
        origin: "http://other.example",
        "x-forwarded-host": "other.example",
        "x-forwarded-proto": "https",
      },
      status: 403,
    },
    {
      name: "the host that a proxy tells whom we do not trust",
      env: { ALLOWED_HOSTS: "other.example", TRUST_PROXY: "10.0.0.1" },
      headers: { origin: "https://other.example", "x-forwarded-host": "other.example" },
      status: 403,
    },
    {
      name: "a host that is not ours, told by a trusted proxy",
      headers: { origin: publicUrl, "x-forwarded-host": "evil.example" },
      status: 421,
    },
  ])("$name: $status", async ({ env, headers, status }) => {
    const app = await scene({ ...proxied, ...env });
    const sent = { cookie: app.cookie, "x-csrf-token": app.csrfToken, ...headers };
    expect((await app.request("POST", tokens, { headers: sent, body: {} })).status).toBe(status);
  });
});

async function auditCount({ as }: Scene): Promise<number> {
  return (await as("viewer").page("audit-events.list")).pagination.total;
}
