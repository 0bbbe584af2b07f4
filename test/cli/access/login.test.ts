// Tests `login`, `logout` and `whoami` without a terminal.

import { existsSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test as base, describe, expect } from "vitest";
import { caFile } from "../../helpers/http/https.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing } from "../world.ts";
import {
  listenTls,
  loginWords,
  openHome,
  openSignedIn,
  openSite,
  openStranger,
  password,
  signIn,
} from "./signed-in.ts";

const test = base.extend("site", () => openSite()).extend("signedIn", () => openSignedIn());

const hour = 3_600_000;

/** The default URL of the server, from the settings that `serve` would read. */
const usual = [
  { env: { PORT: "8081" }, url: "http://127.0.0.1:8081" },
  { env: { HOST: "0.0.0.0" }, url: "http://127.0.0.1:8080" },
  { env: { PORT: "tcp://10.0.0.1:80" }, url: "http://127.0.0.1:8080" },
  {
    env: { PORT: "8443", TLS_CERT_FILE: "cert.pem", TLS_KEY_FILE: "key.pem" },
    url: "https://127.0.0.1:8443",
  },
  // Settings that do not concern the listener may be invalid.
  {
    env: { PORT: "8081", LOG_LEVEL: "loud", DATABASE_URL: "postgres://db/platform" },
    url: "http://127.0.0.1:8081",
  },
];

/** A site for tests that do not count sessions. */
const shared = perFile(openSite);

describe("login", () => {
  test("saves a session that only its user can read, and never saves the password", async () => {
    const { url, sessions, home } = await openSite();
    const host = new URL(url).host;
    const stderr = `Signed in to ${url} as ana (owner); the current context is ${host}.\n`;
    expect(await signIn(home, url)).toEqual({ status: 0, stdout: "", stderr });
    const session = {
      cookie: expect.stringMatching(/^platform_session=[\w-]{43}$/),
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.stringMatching(/Z$/),
    };
    const context = { name: host, server: url, ca: null, username: "ana", session };
    expect(home.contexts()).toEqual({ current: host, contexts: [context] });
    expect(statSync(home.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(home.file)).mode & 0o777).toBe(0o700);
    expect(readFileSync(home.file, "utf8")).not.toContain(password);
    expect(existsSync(`${home.file}.lock`)).toBe(false);
    expect(await sessions()).toBe(1);
  });

  test.each([
    { what: "a carriage return and a line feed", stdin: `${password}\r\n`, status: 0 },
    { what: "nothing behind it", stdin: password, status: 0 },
    { what: "two line feeds", stdin: `${password}\n\n`, status: 4 },
    { what: "a space after it", stdin: `${password} \n`, status: 4 },
  ])("the password is standard input without its last line break: $what", async (one) => {
    const { status } = await openHome().run(loginWords(shared().url), { stdin: one.stdin });
    expect(status).toBe(one.status);
  });

  test("a locked account is reported with the remaining time, even for the right password", async () => {
    const { url, home } = await openSite();
    for (let failed = 0; failed < 5; failed++) await home.run(loginWords(url), { stdin: "wrong" });
    const locked = await home.run(loginWords(url), { stdin: password });
    expect(locked.status).toBe(1);
    expect(locked.stderr).toMatch(
      /^platformctl: Too many failed sign-ins for this account: try again later\. Retry in 1[45]m(\d+s)?\.\n$/,
    );
    expect(home.contexts()).toBeNull();
  });

  const where = ["--server", "http://127.0.0.1:1"];
  const ana = [...where, "--username", "ana"];
  test.each<[what: string, words: string[], says: RegExp, stdin?: string]>([
    ["no username", where, /give --username NAME: there is no terminal/],
    ["no password", ana, /give --password-stdin: there is no terminal/],
    ["an empty password", [...ana, "--password-stdin"], /the password is empty/, "\n"],
    ["a password argument", [...ana, "--password", "x"], /unknown option '--password'/],
    ["a name with a space", [...ana, "--password-stdin", "--name", "a b"], /--name must have/],
    ["an invalid URL", ["--server", "ftp://x"], /--server must be a URL/],
  ])("%s is a usage error", async (_what, words, says, stdin = password) => {
    const home = openHome();
    expect(await home.run(["login", ...words], { stdin })).toMatchObject(failing(2, says));
    expect(home.contexts()).toBeNull();
  });

  test("warns before it sends a password unencrypted", async () => {
    const { stderr } = await openHome().run(["login", "--server", "http://192.0.2.1"]);
    expect(stderr).toContain("The password goes to http://192.0.2.1 unencrypted");
    const local = await openHome().run(["login"]);
    expect(local.stderr).toMatch(
      /^Signing in to http:\/\/127.0.0.1:8080.\nplatformctl: give --user/,
    );
    for (const { env, url } of usual) {
      const { stderr } = await openHome().run(["login"], { env });
      expect(stderr).toContain(`Signing in to ${url}.\n`);
    }
  });

  test("--password-stdin does not read from a terminal", async () => {
    const options = { stdin: password, io: { interactive: true } };
    const ran = await openHome().run(loginWords("http://127.0.0.1:1"), options);
    expect(ran).toMatchObject(failing(2, "--password-stdin reads a file or a pipe"));
  });

  test("ends the session that it replaces at the same server, and keeps the context's name", async () => {
    const { home, url, sessions } = await openSignedIn("--name", "prod");
    const first = home.contexts()?.contexts[0]?.session;
    await signIn(home, url, "ben");
    const contexts = [{ name: "prod", username: "ben" }];
    expect(home.contexts()).toMatchObject({ current: "prod", contexts });
    expect(home.contexts()?.contexts[0]?.session).not.toEqual(first);
    expect(await sessions()).toBe(1);
    expect((await home.run(["whoami", "-o", "name"])).stdout).toBe("ben\n");
  });

  test("without --server, uses the server of --context, PLATFORM_URL or the current context", async () => {
    const [a, b, c] = [await openSite(), await openSite(), shared()];
    const home = openHome();
    await signIn(home, a.url, "ana", "--name", "a");
    const switched = await signIn(home, b.url, "ana", "--name", "b");
    expect(switched.stderr).toContain("; the current context is now b (before: a).\n");
    const again = async (more: string[], env: Record<string, string> = {}) => {
      const words = ["login", "--username", "ben", "--password-stdin", ...more];
      const { stderr } = await home.run(words, { stdin: password, env });
      return /Signed in to (\S+) .*; the current context is (?:now )?(\S+?)( \(before: \S+\))?\.$/m
        .exec(stderr)
        ?.slice(1, 3);
    };
    expect(await again([])).toEqual([b.url, "b"]);
    expect(await again([], { CONTEXT: "a" })).toEqual([a.url, "a"]);
    expect(await again(["--name", "b"], { URL: a.url })).toEqual([b.url, "b"]);
    expect(await again([], { URL: c.url, CONTEXT: "a" })).toEqual([c.url, new URL(c.url).host]);
    expect(await again(["--server", a.url], { URL: b.url })).toEqual([a.url, "a"]);
  });

  test("refuses the name of another server's context, and ends a session that cannot be saved", async () => {
    const [a, b] = [await openSite(), await openSite()];
    const home = openHome();
    await signIn(home, a.url, "ana", "--name", "prod");
    const before = home.contexts();
    const ran = await home.run(loginWords(b.url, "ana", "--name", "prod"), { stdin: password });
    expect(ran).toMatchObject({ status: 5 });
    const says = `the context prod belongs to ${a.url}: choose another name with --name`;
    expect(ran.stderr).toContain(says);
    expect(home.contexts()).toEqual(before);
    expect(await b.sessions()).toBe(0);

    const other = openHome();
    const late = await other.run(loginWords(b.url, "ana", "--name", "prod"), {
      io: {
        async readStdin() {
          await signIn(other, a.url, "ana", "--name", "prod");
          return password;
        },
      },
    });
    expect(late).toMatchObject({ status: 5 });
    expect([await a.sessions(), await b.sessions()]).toEqual([2, 0]);
    expect((await other.run(["whoami"])).status).toBe(0);
  });

  test("concurrent logins lose no context", async ({ site: { url, home } }) => {
    const names = ["one", "two"];
    const ended = await Promise.all(
      names.map((name) => home.run(loginWords(url, "ana", "--name", name), { stdin: password })),
    );
    expect(ended.map(({ status }) => status)).toEqual([0, 0]);
    const kept = home.contexts()?.contexts.map(({ name }) => name);
    expect(kept?.toSorted()).toEqual(names.toSorted());
  });

  test("warns about variables that override the new context", async () => {
    const { url } = shared();
    const notes = async (env: Record<string, string>) => {
      const { stderr } = await openHome().run(loginWords(url), { stdin: password, env });
      return stderr.split("\n").slice(1).join("\n");
    };
    expect(await notes({ URL: "http://x" })).toContain("PLATFORM_URL is set");
    expect(await notes({ CONTEXT: new URL(url).host })).toBe("");
    expect(await notes({ API_KEY: "x" })).toContain("PLATFORM_API_KEY is set");
  });

  test("saves a private CA with the context, so that later commands need no flag", async () => {
    const site = await openSite();
    const url = await listenTls(site);
    const home = openHome();
    const bare = await home.run(loginWords(url), { stdin: password });
    expect(bare).toMatchObject({ status: 6, stderr: expect.stringContaining("--ca-file") });
    await signIn(home, url, "ana", "--ca-file", caFile);
    const [context] = home.contexts()?.contexts ?? [];
    expect(context?.ca).toBe(readFileSync(caFile, "utf8"));
    expect(context?.session?.cookie).toMatch(/^__Host-platform_session=/);
    expect(await home.run(["whoami", "-o", "name"])).toMatchObject({ status: 0, stdout: "ana\n" });
    expect((await home.run(["tokens", "create"])).status).toBe(0);
    await signIn(home, url, "ben");
    expect((await home.run(["whoami", "-o", "name"])).stdout).toBe("ben\n");
    expect(await home.run(["logout"])).toMatchObject({ stderr: `Signed out of ${url}.\n` });
    expect(await site.sessions()).toBe(0);
  });

  test("--debug prints neither the password nor the session", async ({ site: { url, home } }) => {
    const { stderr } = await signIn(home, url, "ana", "--debug");
    expect(stderr).toMatch(/^POST http:\S+\/api\/admin\/auth\/login 200 \d+ characters\n/);
    const { cookie = "", csrfToken = "" } = home.contexts()?.contexts[0]?.session ?? {};
    const made = await home.run(["tokens", "create", "--debug", "-o", "json"]);
    const ended = await home.run(["logout", "--debug"]);
    expect(ended.stderr).toMatch(/^POST http:\S+\/api\/admin\/auth\/logout 200/);
    const { token } = JSON.parse(made.stdout);
    for (const secret of [password, cookie.split("=")[1], csrfToken, token]) {
      expect(secret).toMatch(/./);
      expect(stderr + made.stderr + ended.stderr).not.toContain(secret);
    }
  });
});

describe("a session that has ended", () => {
  test("is reported with advice", async () => {
    const { home, url, clock } = await openSignedIn("--name", "prod");
    clock.advance(9 * hour);
    const says = `your session has ended: platformctl login --server ${url} --name prod`;
    const refused = { status: 4, stdout: "", stderr: `platformctl: ${says}\n` };
    expect(await home.run(["agents", "list"])).toEqual(refused);
    const { status, stderr } = await home.run(["agents", "list", "-o", "json"]);
    expect(status).toBe(4);
    expect(JSON.parse(stderr)).toEqual({ error: { code: "UNAUTHORIZED", message: says } });
    expect((await home.run(["api", "GET", "agents"])).stderr).toBe(`platformctl: ${says}\n`);
  });
});

describe("logout", () => {
  test("ends the session on the server, and removes it from the context", async () => {
    const { home, url, sessions } = await openSignedIn();
    const fine = { status: 0, stdout: "" };
    expect(await home.run(["logout"])).toEqual({ ...fine, stderr: `Signed out of ${url}.\n` });
    expect(await sessions()).toBe(0);
    expect(home.contexts()).toMatchObject({
      current: new URL(url).host,
      contexts: [{ server: url, username: "ana", session: null }],
    });
    const again = `You were not signed in to ${url}.\n`;
    expect(await home.run(["logout"])).toEqual({ ...fine, stderr: again });
    const nobody = "There is no current context: you are not signed in.\n";
    expect(await openHome().run(["logout"])).toEqual({ ...fine, stderr: nobody });
    const stderr = `platformctl: you are signed out of ${url}: platformctl login --server ${url}\n`;
    expect(await home.run(["agents", "list"])).toMatchObject({ status: 4, stderr });
    expect((await home.run(["health"])).status).toBe(0);
  });

  test("ends the session of another context and keeps the current context", async () => {
    const [a, b] = [await openSite(), await openSite()];
    const home = openHome();
    await signIn(home, a.url, "ana", "--name", "a");
    await signIn(home, b.url, "ana", "--name", "b");
    const out = await home.run(["logout", "--context", "a"]);
    expect(out.stderr).toBe(`Signed out of ${a.url}.\n`);
    expect([await a.sessions(), await b.sessions()]).toEqual([0, 1]);
    expect((await home.run(["whoami"])).status).toBe(0);
    expect(await home.run(["logout", "--context", "c"])).toMatchObject({ status: 3 });
  });

  test("deletes the local session and prints a warning if the server is unavailable", async () => {
    const site = await openSite();
    const home = openHome();
    await signIn(home, site.url);
    site.server.closeAllConnections();
    await site.stopListening();
    const { status, stderr } = await home.run(["logout"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /^The session was removed here, but the server could not end it \(cannot reach http:[^)]+\)\)/,
    );
    expect(home.contexts()?.contexts).toMatchObject([{ session: null }]);
  });
});

describe("whoami", () => {
  test("with a session prints the user, role, server and expiry, which each call extends", async () => {
    const { home, url, clock } = await openSignedIn("--name", "prod");
    clock.advance(2 * hour);
    const { stdout } = await home.run(["whoami", "-o", "json"]);
    const until = new Date(clock.now() + 8 * hour).toISOString();
    const user = { username: "ana", displayName: null, role: "owner" };
    const where = { server: url, db: null, context: "prod" };
    expect(JSON.parse(stdout)).toMatchObject({ user, by: "session", ...where, expiresAt: until });
    expect(home.contexts()?.contexts[0]?.session?.expiresAt).toBe(until);
    await home.run(["users", "update", "ana", "--display-name", "Ana Berg"]);
    const named = /^user +ana\ndisplay name +Ana Berg\nrole +owner\n/;
    expect((await home.run(["whoami"])).stdout).toMatch(named);
  });

  test("prints the user even if the new expiry cannot be saved", async () => {
    const { home, clock } = await openSignedIn();
    clock.advance(2 * hour);
    // The file that would replace this one has a name that is too long.
    const target = join(home.folder, "c".repeat(252));
    renameSync(home.file, target);
    symlinkSync(target, home.file);
    const ran = await home.run(["whoami", "-o", "name"]);
    expect(ran).toEqual({ status: 0, stdout: "ana\n", stderr: "" });
  });

  test("with an API key describes the key, which overrides a session", async () => {
    const { home, url, as, clock } = await openSignedIn();
    const expiresAt = new Date(clock.now() + hour).toISOString();
    const body = { name: "ci", role: "viewer", expiresAt } as const;
    const { key, id } = await as("owner").call("api-keys.create", { body });
    const user = { id, username: "ci", role: "viewer" };
    const identity = { user, by: "apiKey", server: url };
    const env = { API_KEY: key };
    const inContext = await home.run(["whoami", "-o", "json"], { env });
    expect(JSON.parse(inContext.stdout)).toMatchObject({ ...identity, expiresAt });
    const bare = await openHome().run(["whoami", "--server", url, "-o", "json"], { env });
    expect(JSON.parse(bare.stdout)).toMatchObject({ ...identity, context: null });
    expect(inContext.stdout + bare.stdout).not.toContain(key);
  });

  test("with --db names the user of the operating system or of PostgreSQL, who acts as an owner", async () => {
    const { db, place } = shared();
    const ran = await openHome().run(["whoami", "--db", db, "-o", "json"]);
    const user = { id: "local", username: expect.stringMatching(/./), role: "owner" };
    expect(JSON.parse(ran.stdout)).toMatchObject({ user, by: place.kind, db: place.name });
  });
});

test("a session is never sent to another server", async ({ site: { url } }) => {
  const other = await openStranger();
  const home = openHome();
  await signIn(home, url);
  await home.run(["agents", "list", "--server", other.url]);
  await home.run(["agents", "list"], { env: { URL: other.url } });
  await home.run(["agents", "list", "--server", `${url}/elsewhere`]);
  expect(other.heard().match(/GET \/api\/admin\/agents/g)).toHaveLength(2);
  expect(other.heard()).not.toMatch(/cookie|platform_session|csrf/i);
});
