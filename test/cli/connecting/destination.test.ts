// Flags, variables and contexts determine the server and the credential of a command.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Contexts } from "../../../src/cli/connecting/contexts.ts";
import { requireDestination } from "../../../src/cli/connecting/destination.ts";
import type { DestinationOptions } from "../../../src/cli/connecting/server-destination.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { ca, caFile } from "../../helpers/http/https.ts";

const context = (name: string, server: string, more: object = {}) => {
  const session = { cookie: `c=${name}`, csrfToken: `t-${name}`, expiresAt: null };
  return { name, server, ca: null, username: "ana", session, ...more };
};

const known: Contexts = {
  current: "lab",
  contexts: [
    context("lab", "http://lab:8080"),
    context("prod", "https://prod", { ca }),
    context("twin-1", "https://twin"),
    context("twin-2", "https://twin"),
    context("out", "https://out", { session: null }),
  ],
};

interface Given {
  flags?: DestinationOptions;
  env?: Record<string, string>;
  contexts?: Contexts | null;
}

/** Returns the destination as text: `as` names the context of the session, or the key. */
async function lead({ flags = {}, env = {}, contexts = known }: Given) {
  const configFolder = join(temporaryFolder(), "platform");
  if (contexts) {
    mkdirSync(configFolder);
    writeFileSync(join(configFolder, "contexts.json"), JSON.stringify(contexts), { mode: 0o600 });
  }
  const io = { env, configFolder, note: () => undefined } as unknown as Io;
  const target = await requireDestination(io, flags);
  if (target.kind !== "server") return target.name;
  const { credential } = target;
  const session = credential.kind === "session" ? credential.session.cookie.slice(2) : null;
  const as = credential.kind === "apiKey" ? credential.key : session;
  return `${target.url} as ${as}${target.ca === undefined ? "" : " with a CA"}`;
}

const every = { URL: "http://y", DB: "/x.db", CONTEXT: "prod" };
const { CONTEXT, DB, URL } = every;
const key = { API_KEY: "key" };

test.each<[flags: DestinationOptions, env: Record<string, string>, leads: string]>([
  [{}, {}, "http://lab:8080 as lab"],
  [{}, { CONTEXT }, "https://prod as prod with a CA"],
  [{}, { URL }, "http://y as null"],
  [{}, { DB }, "/x.db"],
  [{}, { DB: "postgres://ana:hunter2@h/fleet" }, "postgres://ana@h/fleet"],
  [{ db: "postgresql://ana@h/fleet?sslmode=require" }, every, "postgres://ana@h/fleet"],
  [{ context: "prod" }, { ...every, CONTEXT: "lab" }, "https://prod as prod with a CA"],
  [{ server: "http://x" }, every, "http://x as null"],
  [{ db: "/a.db" }, { ...every, ...key }, "/a.db"],
  [{}, key, "http://lab:8080 as key"],
  [{ context: "out" }, {}, "https://out as null"],
  [{ context: "lab", caFile }, {}, "http://lab:8080 as lab with a CA"],
])("with the flags %j and the variables %j, the destination is %s", async (flags, env, leads) => {
  expect(await lead({ flags, env })).toBe(leads);
});

test.each([..."postgres//a:hunter2@h/d ./a:hunt/er2@h http://h/d".split(" ")])(
  "a path that looks like a URL is refused and not shown: %s",
  async (db) => {
    for (const given of [{ flags: { db } }, { env: { DB: db } }]) {
      const refused = await lead(given).then(String, (error: Error) => error.message);
      expect(refused).toMatch(
        /looks like a URL, but the URL of a PostgreSQL database is postgres:\/\/user:password@/,
      );
      expect(refused).not.toMatch(/hunt|er2/);
    }
  },
);

test("a server needs no context", async () => {
  expect(await lead({ flags: { server: "x" }, contexts: null })).toBe("https://x as null");
});

test.each([
  ["https://prod", "https://prod as prod with a CA"],
  ["https://PROD:443/", "https://prod as prod with a CA"],
  ["http://lab:8080", "http://lab:8080 as lab"],
  ["http://prod", "http://prod as null"],
  ["http://prod:443", "http://prod:443 as null"],
  ["https://prod:8443", "https://prod:8443 as null"],
  ["https://prod/below", "https://prod/below as null"],
  ["https://lab:8080", "https://lab:8080 as null"],
])("a session is only used for its own server: %s leads to %s", async (server, leads) => {
  expect(await lead({ flags: { server } })).toBe(leads);
  expect(await lead({ env: { URL: server } })).toBe(leads);
});

test("if several contexts have the server, the current one is used; otherwise it is an error", async () => {
  const flags = { server: "https://twin" };
  await expect(lead({ flags })).rejects.toThrow(
    "several contexts have https://twin: choose one with --context (twin-1, twin-2).",
  );
  expect(await lead({ flags, contexts: { ...known, current: "twin-2" } })).toBe(
    "https://twin as twin-2",
  );
});

test.each<[Given, says: string]>([
  [{ contexts: null }, "no destination: give --server URL"],
  [{ contexts: { ...known, current: null } }, "platformctl login --server URL"],
  [{ flags: { server: "x", context: "lab" } }, "give only one of --server, --db and --context."],
  [
    { env: { DB, URL, ...key } },
    "several destinations are set: PLATFORM_DB, PLATFORM_URL. Unset all but one (`unset PLATFORM_DB`)",
  ],
  [{ env: every }, "PLATFORM_DB, PLATFORM_URL, PLATFORM_CONTEXT. Unset all but one"],
  [{ flags: { context: "prd" } }, "there is no context prd. Did you mean prod?"],
  [{ env: { CONTEXT: "nowhere-at-all" } }, "at-all. See `platformctl context list`."],
])("%j is refused: %s", async (given, says) => {
  await expect(lead(given)).rejects.toThrow(says);
});
