// Tests that a command loads only what it needs, because users notice the start-up time. Most tests
// run the program from source, because the bundle hides its packages.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, inject, test } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../helpers/app.ts";
import { platformctl } from "../../helpers/process/process.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { openWorld } from "../world.ts";

sqliteOnly("with PostgreSQL, a command also loads its engine");

const hooks = pathToFileURL(
  join(import.meta.dirname, "../../helpers/process/loaded-packages.mjs"),
).href;

const loadedBy = async (...run: Parameters<typeof everythingLoadedBy>) =>
  (await everythingLoadedBy(...run)).packages;

const sourcePrograms = join(import.meta.dirname, "../../../bin");
const bundledPrograms = join(inject("installedProgram"), "bin");

async function everythingLoadedBy(
  words: string[],
  env: Record<string, string> = {},
  from = sourcePrograms,
) {
  const { stderr } = await platformctl(words, {
    from,
    env: { ...env, NODE_OPTIONS: `--import=${hooks}` },
  });
  const listed = (label: string) =>
    new RegExp(`^${label}: ?(.*)$`, "m").exec(stderr)?.[1]?.split(" ").filter(Boolean) ?? [
      "the hook printed nothing",
    ];
  return {
    packages: listed("loaded"),
    sources: listed("sources"),
    parts: listed("parts"),
  };
}

// --version loads even less.
test("the completion of static words loads no package at all", async () => {
  expect(await loadedBy(["__complete", "--", "agents", "list", "--db", ""])).toEqual([]);
});

test("a list with plain filters loads neither schemas nor YAML over HTTP, and no HTTP on the file", async () => {
  const world = await openWorld();
  const env = { PLATFORM_API_KEY: world.key };
  const list = ["agents", "list", "--status", "ONLINE", "--search", "edge"];
  const overHttp = await loadedBy([...list, "--server", world.url], env);
  expect(overHttp).toContain("undici");
  expect(overHttp).not.toContain("zod");
  const { packages: onFile, sources } = await everythingLoadedBy([...list, "--db", world.db]);
  expect(onFile).toContain("better-sqlite3");
  for (const name of [
    "undici",
    "ws",
    "pino",
    "prom-client",
    "find-my-way",
    "@inquirer/prompts",
    "pg",
    "zod",
  ]) {
    expect(onFile).not.toContain(name);
  }
  for (const loaded of [overHttp, onFile]) expect(loaded).not.toContain("yaml");
  expect(sources.filter((file) => file.startsWith("store/engine/postgresql/"))).toEqual([]);
  // The command loads the handlers only of the routes that it calls.
  const ofRoutes = sources.filter((file) => /^api\/[^/]+\.ts$|-handlers\.ts$/.test(file));
  expect(ofRoutes).toEqual(["core/fleet/agent-handlers.ts"]);
  expect(sources).not.toContain("client/transport-http.ts");
  // It also loads nothing of other groups of commands, of servers, or for standard input.
  const groups = sources.filter((file) => file.startsWith("cli/commands/"));
  expect(groups).toEqual(["agents/index.ts", "index.ts"].map((file) => `cli/commands/${file}`));
  for (const name of ["cli/connecting/server-destination", "client/proxy", "cli/terminal/stdin"]) {
    expect(sources).not.toContain(`${name}.ts`);
  }
});

test("a command that only reads JSON does not load the forms of actions", async () => {
  const world = await openWorld();
  const env = { PLATFORM_API_KEY: world.key };
  for (const words of [
    ["schedules", "preview", "--every", "6h"],
    ["rollouts", "start", "snore", "--selector", "", "--dry-run"],
  ]) {
    const { sources } = await everythingLoadedBy([...words, "--server", world.url], env);
    expect(sources).toContain(`cli/commands/${words[0]}/index.ts`);
    expect(
      sources.filter((file) => /^(cli|domain)\/form\/(fill-in|given-keys|ask)/.test(file)),
    ).toEqual([]);
  }
});

test("in the bundle, a command loads few files", async () => {
  const world = await openWorld();
  const parts = async (...words: string[]) =>
    (await everythingLoadedBy(words, {}, bundledPrograms)).parts;
  const help = ["command", "rolldown-runtime", "start"];
  expect(await parts("--version")).toEqual(["start"]);
  expect(await parts("agents", "list", "--help")).toEqual(help);
  expect(await parts("agents", "list", "--db", world.db)).toEqual([
    "command",
    "rolldown-runtime",
    "service",
    "shared",
    "start",
  ]);
});

/** The server refuses the agent's token, so the agent stops after it has loaded everything. */
function refusedAgent(server: string): string[] {
  const file = join(temporaryFolder(), "agent.yaml");
  const registrationToken = "platform_reg_unknown";
  const services = [{ code: "web", version: "1" }];
  const agent = { code: "edge" };
  const config = { server, registrationToken, agent, stateDir: "state", services };
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return ["agent", "run", "--config", file];
}

test("an agent loads nothing of the server, and formats no log for terminals", async () => {
  const world = await openWorld();
  const { packages, sources } = await everythingLoadedBy(refusedAgent(world.url));
  expect(packages).toEqual(expect.arrayContaining(["pino", "undici", "yaml", "zod"]));
  expect(sources).toContain("agent/sidecar/sidecar.ts");
  for (const name of ["better-sqlite3", "pino-pretty"]) expect(packages).not.toContain(name);
  expect(sources.filter((file) => /^(app|serve)|^(store|core|http|jobs)\//.test(file))).toEqual([]);
});

test("in the bundle, agents and commands over HTTP do not load the service", async () => {
  const world = await openWorld();
  const env = { PLATFORM_API_KEY: world.key };
  for (const words of [refusedAgent(world.url), ["agents", "list", "--server", world.url]]) {
    const { parts } = await everythingLoadedBy(words, env, bundledPrograms);
    expect(parts).toEqual(expect.arrayContaining(["shared", "transport-http"]));
    expect(parts).not.toContain("service");
  }
});
