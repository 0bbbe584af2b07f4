// Flags, variables and contexts determine the server and the credential of a command.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Contexts } from "../../../src/cli/connecting/contexts.ts";
import {
  type DestinationOptions,
  requireDestination,
} from "../../../src/cli/connecting/destination.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { ca, caFile } from "../../helpers/http/https.ts";

const session = (name: string) => ({
  cookie: `c=${name}`,
  csrfToken: `t-${name}`,
  expiresAt: null,
});
const context = (name: string, server: string, more: object = {}) => {
  return { name, server, ca: null, username: "ana", session: session(name), ...more };
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
  const target = await requireDestination(
    { env, configFolder, note: () => undefined } as unknown as Io,
    flags,
  );
  if (target.kind === "file") return target.file;
  const { credential } = target;
  const as =
    credential.kind === "session"
      ? credential.session.cookie.slice(2)
      : credential.kind === "apiKey"
        ? credential.key
        : null;
  return `${target.url} as ${as}${target.ca === undefined ? "" : " with a CA"}`;
}

test.each<Given & { what: string; leads: string }>([
  { what: "the current context", leads: "http://lab:8080 as lab" },
  { what: "PLATFORM_CONTEXT", env: { CONTEXT: "prod" }, leads: "https://prod as prod with a CA" },
  { what: "--context", flags: { context: "prod" }, leads: "https://prod as prod with a CA" },
  {
    what: "--context overrides every variable",
    flags: { context: "prod" },
    env: { URL: "http://x", DB: "/x.db", CONTEXT: "lab" },
    leads: "https://prod as prod with a CA",
  },
  {
    what: "--server overrides every variable",
    flags: { server: "http://x" },
    env: { URL: "http://y", DB: "/x.db", CONTEXT: "lab" },
    leads: "http://x as null",
  },
  {
    what: "--db overrides every variable",
    flags: { db: "/a.db" },
    env: { URL: "http://y", DB: "/x.db", CONTEXT: "lab", API_KEY: "key" },
    leads: "/a.db",
  },
  {
    what: "PLATFORM_DB overrides the other variables",
    env: { URL: "http://y", DB: "/x.db", CONTEXT: "prod" },
    leads: "/x.db",
  },
  {
    what: "PLATFORM_URL overrides PLATFORM_CONTEXT",
    env: { URL: "http://y", CONTEXT: "prod" },
    leads: "http://y as null",
  },
  { what: "a key in a context", env: { API_KEY: "key" }, leads: "http://lab:8080 as key" },
  {
    what: "a key overrides the session of the same server",
    flags: { server: "http://lab:8080" },
    env: { API_KEY: "key" },
    leads: "http://lab:8080 as key",
  },
  {
    what: "a key in a context that is signed out",
    flags: { context: "out" },
    env: { API_KEY: "key" },
    leads: "https://out as key",
  },
  { what: "a context that is signed out", flags: { context: "out" }, leads: "https://out as null" },
  {
    what: "no contexts at all",
    flags: { server: "x" },
    contexts: null,
    leads: "https://x as null",
  },
  {
    what: "--ca-file overrides the context's CA",
    flags: { context: "lab", caFile },
    leads: "http://lab:8080 as lab with a CA",
  },
])("the destination is right: $what", async ({ leads, ...given }) => {
  expect(await lead(given)).toBe(leads);
});

describe("a session is only used for its own server", () => {
  test.each([
    { server: "https://prod", leads: "https://prod as prod with a CA" },
    { server: "https://PROD:443/", leads: "https://prod as prod with a CA" },
    { server: "http://lab:8080", leads: "http://lab:8080 as lab" },
    { server: "lab:8080", leads: "https://lab:8080 as null" },
    { server: "prod", leads: "https://prod as prod with a CA" },
    { server: "http://prod", leads: "http://prod as null" },
    { server: "http://prod:443", leads: "http://prod:443 as null" },
    { server: "https://prod:8443", leads: "https://prod:8443 as null" },
    { server: "https://prod.example", leads: "https://prod.example as null" },
    { server: "https://prod/below", leads: "https://prod/below as null" },
    { server: "https://lab:8080", leads: "https://lab:8080 as null" },
  ])("with the server $server", async ({ server, leads }) => {
    expect(await lead({ flags: { server } })).toBe(leads);
    expect(await lead({ env: { URL: server } })).toBe(leads);
  });
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

test.each<Given & { what: string; says: string }>([
  { what: "no destination", contexts: null, says: "no destination: give --server URL" },
  {
    what: "no current context",
    contexts: { ...known, current: null },
    says: "platformctl login --server URL",
  },
  {
    what: "two flags",
    flags: { server: "x", context: "lab" },
    says: "give only one of --server, --db and --context.",
  },
  {
    what: "an unknown context",
    flags: { context: "prd" },
    says: "there is no context prd. Did you mean prod?",
  },
  {
    what: "an unknown context in PLATFORM_CONTEXT",
    env: { CONTEXT: "nowhere-at-all" },
    says: "there is no context nowhere-at-all. See `platformctl context list`.",
  },
])("$what is refused", async ({ says, ...given }) => {
  await expect(lead(given)).rejects.toThrow(says);
});
