// Tests what the Tab key offers: commands, flags and values without a request, names from the
// target, and nothing if a request fails. completion-shells.test.ts tests the shells.

import { expect, onTestFinished, test, vi } from "vitest";
import type { ArgumentSpec, OptionSpec } from "../../../src/cli/command.ts";
import { allCommands } from "../../../src/cli/commands/index.ts";
import { Session } from "../../../src/store/engine/postgresql/connection/session.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveTcp } from "../../helpers/http/listen.ts";
import { writeKey } from "../../helpers/postgres-cluster.ts";
import { ask, guard, person } from "../approvals/people.ts";
import { cli, openWorld } from "../world.ts";

const commandTable = await allCommands();
/** Returns the candidates for the last of these words. */
async function offered(words: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { status, stdout, stderr } = await cli(["__complete", "--", ...words], { env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter(Boolean);
}

/** Removes the time limit for names, which a slow machine could exceed. */
function withoutHurry(): void {
  const never = new AbortController().signal;
  const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(never);
  onTestFinished(() => limit.mockRestore());
}

const valuesOf = (lines: string[]) => lines.map((line) => line.split("\t")[0]);
const sorted = async (...given: Parameters<typeof offered>) =>
  valuesOf(await offered(...given)).sort();

test.each([
  { words: ["ag"], offers: ["agents", "agent"] },
  {
    words: ["agents", ""],
    offers: ["list", "get", "label", "disable", "enable", "revoke-token", "delete", "wait"],
  },
  { words: ["help", "agents", "re"], offers: ["revoke-token"] },
  { words: ["help", "agents", "get", ""], offers: [] },
  { words: ["-"], offers: ["--help", "--version"] },
  { words: ["agents", "nonsense", ""], offers: [] },
  { words: ["copy-d"], offers: [] },
  { words: ["agents", "list", "--st"], offers: ["--status"] },
  { words: ["agents", "list", "--status", ""], offers: ["ONLINE", "OFFLINE", "DISABLED"] },
  { words: ["agents", "list", "--status=OF"], offers: ["--status=OFFLINE"] },
  { words: ["agents", "list", "--mode", "sidecar", "--mo"], offers: [] },
  { words: ["agents", "list", "-o", "js"], offers: ["json", "jsonl"] },
  { words: ["agents", "list", "--mode", "-"], offers: [] },
  { words: ["agents", "list", "--nonsense="], offers: [] },
  { words: ["agents", "list", "--", "--"], offers: [] },
  { words: ["actions", "run", "a", "b", "--set", "x=1", "--se"], offers: ["--set", "--server"] },
  { words: ["actions", "run", "a", "b", "c", ""], offers: [] },
  { words: ["completion", ""], offers: ["bash", "zsh", "fish"] },
  { words: ["schedules", "create", "x", "--timezone", "Europe/Berl"], offers: ["Europe/Berlin"] },
  { words: ["agents", "list", "--db", "data/"], offers: [":files"] },
  { words: ["actions", "run", "a", "b", "--payload", "@x"], offers: [":files"] },
  { words: ["actions", "run", "a", "b", "--payload", "{"], offers: [] },
])("$words offers $offers, without a request", async ({ words, offers }) => {
  // This server never responds.
  const env = { URL: await silentServer() };
  expect(valuesOf(await offered(words, env))).toEqual(offers);
});

test("completion offers every command and flag with its summary", async () => {
  for (const spec of commandTable.filter(({ hidden }) => !hidden)) {
    const words = spec.name.split(" ");
    const lines = await offered(words);
    const expected = words.length > 1 ? [`${words.at(-1)}\t${spec.summary}`] : [];
    expect(lines).toEqual(expect.arrayContaining(expected));
    const flags = await offered([...words, "--"]);
    for (const { flags: spelling, summary } of spec.options ?? []) {
      expect(flags).toContainEqual(`${spelling.match(/--[\w-]+/)?.[0]}\t${summary}`);
    }
  }
});

test("names come from the server or the file that a flag or a variable names, if it is one that can be used", async () => {
  withoutHurry();
  const world = await openWorld();
  const env = { API_KEY: world.key };
  const agents = ["edge-1", "edge-2"];
  const get = ["agents", "get"];
  expect(await sorted([...get, "--debug", "--server", world.url, "ed"], env)).toEqual(agents);
  expect(await sorted([...get, "--db", world.db, ""])).toEqual(agents);
  expect(await sorted([...get, ""], { ...env, URL: world.url })).toEqual(agents);
  expect(await sorted([...get, "nobody"], { DB: world.db })).toEqual([]);
  expect(await offered([...get, "edge-1"], { DB: world.db })).toEqual(["edge-1\tONLINE"]);
  for (const { words = [], env = {} } of [
    {},
    { words: ["--server", "http://127.0.0.1:9", "--db", "x"] },
    { env: { DB: "/nowhere/platform.db" } },
  ]) {
    expect(await offered([...get, ...words, ""], env)).toEqual([]);
  }
});

test("names for schedules, approvals and policies, and the views of a list, are offered", async () => {
  withoutHurry();
  const world = await openWorld();
  const env = { DB: world.db };
  await guard(world);
  const ann = await person(world, "ann");
  const [open, ended] = [await ask(ann), await ask(ann)];
  await ann.client.call("approvals.withdraw", { params: { approvalId: ended.id } });
  expect(await sorted(["approvals", "approve", ""], env)).toEqual([open.id]);
  expect(await sorted(["policies", "get", ""], env)).toEqual(["careful"]);
  const create = ["policies", "create", "x", "--approvers", ""];
  expect(await sorted(create, env)).toEqual(["ann", "operator", "owner"]);
  const schedule = ["schedules", "create", "x", "--service", "sleeper", "--action", ""];
  expect(await sorted(schedule, env)).toEqual(["snore"]);

  for (const [noun, query] of [
    ["services", { status: "STALE" }],
    ["audit-events", {}],
  ] as const) {
    const body = { name: `my ${noun}`, noun, query, shared: true };
    await world.as("owner").call("saved-views.create", { body });
  }
  const ofServices = ["services", "list", "--view", ""];
  expect(await offered(ofServices, env)).toEqual(["my services\tstatus=STALE"]);
  expect(await offered(["audit", "list", "--view", ""], env)).toEqual(["my audit-events"]);
});

test("completion does not request what the role may not see, so no denial is audited", async () => {
  withoutHurry();
  const world = await openWorld();
  const owner = world.as("owner");
  const password = "correct horse battery";
  await owner.call("users.create", { body: { username: "ada", password, role: "viewer" } });
  const { key } = await owner.call("api-keys.create", { body: { name: "looks", role: "viewer" } });
  const names = (API_KEY: string) =>
    sorted(["audit", "list", "--actor", ""], { URL: world.url, API_KEY });
  expect(await names(world.key)).toContain("ada");
  expect(await names(key)).toEqual(["edge-1", "edge-2"]);
  const query = { action: "access.denied" };
  expect(await owner.call("audit-events.list", { query })).toEqual([]);
});

test("names of every kind are offered", async () => {
  withoutHurry();
  const world = await openWorld();
  const open = await world.execute("sleeper", "snore");
  const ended = await world.execute("log-collector", "set-level");
  await world.run("--server", ["commands", "wait", ended]);
  const env = { DB: world.db };
  expect(await offered(["services", "get", "s"], env)).toEqual(["sleeper\tSleeper, UNHEALTHY"]);
  const agents = ["edge-1", "edge-2"];
  expect(await sorted(["services", "list", "--agent", ""], env)).toEqual(agents);
  expect(await sorted(["audit", "tail", "--actor", ""], env)).toEqual(agents);
  const targets = [...agents, "log-collector", "sleeper"];
  expect(await sorted(["audit", "list", "--target", ""], env)).toEqual(targets);
  expect(await offered(["actions", "run", "log-collector", "r"], env)).toEqual([
    "rotate-log\trotate-log (HIGH)",
  ]);
  expect(await offered(["actions", "run", "nothing", ""], env)).toEqual([]);
  expect(await offered(["commands", "cancel", ""], env)).toEqual([
    `${open}\tsnore on sleeper, PENDING`,
  ]);
  expect(await sorted(["commands", "get", "cmd_"], env)).toEqual([open, ended].sort());
  const actions = [{ name: "hum" }];
  const hummer = { code: "hummer", name: "Hummer", version: "1.0.0", healthStatus: "UP", actions };
  const { client } = await world.registerAgent("edge-3", [hummer]);
  const running = await world.execute("hummer", "hum");
  await client.call("agent.poll", { query: { wait: 0 } });
  expect(await offered(["commands", "wait", ""], env)).toContainEqual(
    `${running}\thum on hummer, RUNNING`,
  );
  const [agent] = (await world.as("owner").page("agents.list", { query: { q: "edge-1" } })).data;
  const { id = "" } = agent ?? {};
  expect(await offered(["agents", "get", id.slice(0, 20)], env)).toContainEqual(
    `${id}\tedge-1, ONLINE`,
  );
});

test("an agent's text can neither control the terminal nor look like more candidates", async () => {
  withoutHurry();
  const world = await openWorld();
  const name = "a\u001b[2Jb\nedge-9\tc";
  const actions = [{ name: "hum", label: name }];
  await world.registerAgent("edge-3", [
    { code: "hummer", name, version: "1.0.0", healthStatus: "UP", actions },
  ]);
  const env = { DB: world.db };
  const shown = "a\\u001b[2Jb\\nedge-9\\tc";
  expect(await offered(["services", "get", "h"], env)).toEqual([`hummer\t${shown}, HEALTHY`]);
  expect(await offered(["actions", "run", "hummer", ""], env)).toEqual([`hum\t${shown} (LOW)`]);
});

test("a server that does not respond is not waited for", async () => {
  expect(await offered(["agents", "get", ""], { URL: await silentServer() })).toEqual([]);
});

test("a database that does not respond is not waited for longer than a server", async () => {
  const opening = vi.spyOn(Session, "open").mockRejectedValue(new Error("no response"));
  onTestFinished(() => opening.mockRestore());
  const folder = temporaryFolder();
  const env = {
    DB: "postgres://ada@127.0.0.1/fleet",
    AUDIT_KEY_FILE: writeKey(folder, "audit.key"),
    SESSION_SECRET_FILE: writeKey(folder, "session.key"),
  };
  expect(await offered(["agents", "get", ""], env)).toEqual([]);
  expect(opening.mock.calls.map(([, { limits }]) => limits.connect)).toEqual([1000]);
});

test.each([
  { line: "platformctl agents li", offers: ["list"] },
  { line: "platformctl   'agents'  \"li", offers: ["list"] },
  { line: "platformctl agents list --label 'a b' --stat", offers: ["--status"] },
  { line: "platformctl agents list --label a\\ b --stat", offers: ["--status"] },
  { line: "platformctl agents list --label '\\' --stat", offers: ["--status"] },
  { line: "platformctl agents list --status=OF", replaced: "OF", offers: ["OFFLINE"] },
  { line: "platformctl agents list --status=", replaced: "", offers: ["ONLINE", "OFFLINE"] },
  { line: "platformctl agents list '--status=OF", offers: ["--status=OFFLINE"] },
  { line: "platformctl agents list --db=x", replaced: "x", offers: [":files\tx\t"] },
  { line: "platformctl actions run a b --payload @x", offers: [":files\tx\t@"] },
])("bash completes the line $line", async ({ line, replaced, offers }) => {
  const word = replaced ?? line.split(" ").at(-1) ?? "";
  const { stdout } = await cli(["__complete", "--line", line, word]);
  const lines = stdout.split("\n").filter(Boolean);
  expect(offers[0]?.startsWith(":") ? lines : valuesOf(lines)).toEqual(
    expect.arrayContaining(offers),
  );
  if (replaced !== "") expect(lines).toHaveLength(offers.length);
});

test("every argument and option that takes a name from the server completes it", () => {
  const things = /^[<[](agent|service|action|command|token|user|key|route|event)s?(\.\.\.)?[>\]]$/;
  const shown = commandTable.filter(({ hidden }) => !hidden);
  const parts = shown.flatMap(({ name, args = [], options = [] }) => [
    ...args.map((spec: ArgumentSpec) => ({ at: name, value: spec.name, spec })),
    ...options.map((spec: OptionSpec) => ({
      at: `${name} ${spec.flags}`,
      value: spec.flags.split(" ").at(-1) ?? "",
      spec,
    })),
  ]);
  const files = /^[<[](file|folder)[>\]]$/;
  const lacking = parts.filter(
    ({ value, spec }) => (things.test(value) || files.test(value)) && !spec.completes,
  );
  expect(lacking.map(({ at }) => at)).toEqual([]);
});

/** Starts a server that accepts connections and never responds. */
async function silentServer(): Promise<string> {
  return `http://127.0.0.1:${await serveTcp()}`;
}
