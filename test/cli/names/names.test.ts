// Tests that commands accept an id, the beginning of an id, a code or a name.

import { expect, test } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, type World, ways } from "../world.ts";

/** Creates a world in which two services share a name. */
async function openNamed(): Promise<World & { ids: Record<string, string> }> {
  const world = await openWorld();
  await world.registerAgent("db-agent", [
    { code: "orders-db", name: "Database", version: "1" },
    { code: "users-db", name: "Database", version: "1" },
    { code: "Database2", name: "orders-db", version: "1" },
  ]);
  const { data: services } = await world.as("owner").page("services.list");
  const { data: agents } = await world.as("owner").page("agents.list");
  const ids = Object.fromEntries([...services, ...agents].map(({ code, id }) => [code, id]));
  return { ...world, ids };
}

test.each(ways)("%s finds things by code and id", async (way) => {
  const world = await openNamed();
  // The code orders-db is also another service's name.
  for (const [noun, code] of [
    ["services", "users-db"],
    ["services", "orders-db"],
    ["agents", "db-agent"],
  ] as const) {
    for (const text of [code, world.ids[code] ?? ""]) {
      const ran = await world.run(way, [noun, "get", text, "-o", "json"]);
      expect(JSON.parse(ran.stdout)).toMatchObject({ code, id: world.ids[code] });
    }
  }
});

test.each(ways)(
  "%s finds codes that other routes have, and names that do not fit into a path",
  async (way) => {
    const world = await openWorld();
    await world.registerAgent("export", [{ code: "export", name: "Export", version: "1" }]);
    const { call } = world.as("owner");
    const policy = { approvers: { role: "owner" as const } };
    for (const name of ["test", "../agents", "eu / all", "ünder"]) {
      await call("approval-policies.create", { body: { ...policy, name } });
      const got = await world.run(way, ["policies", "get", name, "-o", "json"]);
      expect(JSON.parse(got.stdout)).toMatchObject({ name });
    }
    for (const noun of ["agents", "services"]) {
      const got = await world.run(way, [noun, "get", "export", "-o", "name"]);
      expect(got.stdout).toBe("export\n");
    }
  },
);

test.each([
  ["agents disable edge-2", ["POST /api/admin/agents/edge-2/disable"]],
  ["services get sleeper", ["GET /api/admin/capsule-services/sleeper"]],
  [
    "services list --agent edge-2",
    [
      "GET /api/admin/agents/edge-2",
      expect.stringMatching(/^GET \/api\/admin\/capsule-services\?.*agentId=agt_/),
    ],
  ],
])("the server finds codes without a search: %s", async (words, calls) => {
  const world = named();
  const { status, stderr } = await world.run("--server", [...words.split(" "), "--debug"]);
  expect(status).toBe(0);
  const called = stderr.replaceAll(world.url, "").match(/(GET|POST) \S+/g);
  expect(called).toEqual(calls);
});

test.each(ways)("%s finds things by name and by the beginning of an id", async (way) => {
  const world = await openNamed();
  const byName = await world.run(way, ["services", "get", "Log collector", "-o", "name"]);
  expect(byName.stdout).toBe("log-collector\n");
  const ids = Object.entries(world.ids).filter(([, id]) => id.startsWith("svc_"));
  for (const [code, id] of ids) {
    const others = ids.map(([, other]) => other).filter((other) => other !== id);
    const ran = await world.run(way, ["services", "get", shortest(id, others), "-o", "name"]);
    expect(ran.stdout).toBe(`${code}\n`);
  }
});

test.each(ways)("%s lists the candidates for an ambiguous name", async (way) => {
  const world = await openNamed();
  for (const text of ["Database", "svc_"]) {
    const ran = await world.run(way, ["services", "get", text]);
    expect(ran).toMatchObject(failing(5, `platformctl: ${text} matches more than one service:\n`));
    for (const code of ["orders-db", "users-db"]) {
      expect(ran.stderr).toContain(`\n  ${world.ids[code]}  ${code}, Database, `);
    }
  }
});

const named = perFile(async () => {
  const world = await openWorld();
  const { call } = world.as("owner");
  const password = "correct horse battery";
  await call("users.create", { body: { username: "ada", password, role: "owner" } });
  await call("registration-tokens.create", { body: { name: "edge-7" } });
  return world;
});

test.each([
  {
    words: "services get log-colector",
    says: "no service log-colector. Did you mean log-collector?",
  },
  {
    words: "services get LOG-COLLECTOR",
    says: "no service LOG-COLLECTOR. Did you mean log-collector?",
  },
  { words: "agents get edge1", says: "no agent edge1. Did you mean edge-1?" },
  { words: "agents disable egde-2", says: "no agent egde-2. Did you mean edge-2?" },
  { words: "services list --agent edge_1", says: "no agent edge_1. Did you mean edge-1?" },
  { words: "commands list --service sleepr", says: "no service sleepr. Did you mean sleeper?" },
  { words: "actions run sleper snore", says: "no service sleper. Did you mean sleeper?" },
  { words: "services get something-else", says: "no service something-else." },
  { words: "services get svc_zzz", says: "no service svc_zzz." },
  { words: "agents get %", says: "no agent %." },
  { words: "users get dada", says: "no user dada. Did you mean ada?" },
  { words: "tokens get edge7", says: "no registration token edge7. Did you mean edge-7?" },
  { words: "api-keys revoke tets", says: "no API key tets. Did you mean test?" },
  { words: "commands get snore", says: "no command snore. `commands list` shows their ids." },
  { words: "commands get cmd_U", says: "no command cmd_U. `commands list` shows their ids." },
  {
    words: "commands wait cmd_7ZZZ",
    says: "no command cmd_7ZZZ. `commands list` shows their ids.",
  },
])("the error for a typo suggests the nearest name or the list: $words", async (one) => {
  const stderr = `platformctl: there is ${one.says}\n`;
  const ran = await named().run("--db", one.words.split(" "));
  expect(ran).toEqual({ status: 3, stdout: "", stderr });
});

/** Returns the shortest beginning that no other id has. */
function shortest(id: string, others: string[]): string {
  let length = "svc_".length;
  while (others.some((other) => other.startsWith(id.slice(0, length)))) length++;
  return id.slice(0, length);
}

test.each(ways)(
  "%s finds tokens and keys by name and id, and users regardless of case",
  async (way) => {
    const world = await openWorld();
    const { call } = world.as("owner");
    const token = await call("registration-tokens.create", { body: { name: "edge-7" } });
    const key = await call("api-keys.create", { body: { name: "ci", role: "viewer" } });
    const password = "correct horse battery";
    const ada = await call("users.create", { body: { username: "Ada", password, role: "owner" } });
    const { data: tokens } = await world.as("owner").page("registration-tokens.list");
    const others = tokens.map(({ id }) => id).filter((id) => id !== token.id);
    const idOf = async (...words: string[]) => {
      const ran = await world.run(way, [...words, "-o", "json"]);
      return ran.status === 0 ? JSON.parse(ran.stdout).id : ran.stderr;
    };
    expect(await idOf("tokens", "get", "edge-7")).toBe(token.id);
    expect(await idOf("tokens", "get", token.id)).toBe(token.id);
    expect(await idOf("tokens", "get", shortest(token.id, others))).toBe(token.id);
    for (const name of ["Ada", "ADA", ada.id, ada.id.slice(0, 9)]) {
      expect(await idOf("users", "get", name)).toBe(ada.id);
    }
    expect(await idOf("api-keys", "revoke", "ci", "--yes")).toBe(key.id);
  },
);

test("a name that several tokens share lists them with their states", async () => {
  const world = await openWorld();
  const { call } = world.as("owner");
  const body = { name: "edge-7" };
  const first = await call("registration-tokens.create", { body });
  const second = await call("registration-tokens.create", { body });
  const revoke = () => world.run("--db", ["tokens", "revoke", "edge-7", "--yes", "-o", "name"]);
  expect(await revoke()).toMatchObject({
    status: 5,
    stderr:
      "platformctl: edge-7 matches more than one registration token:\n" +
      `  ${second.id}  edge-7, ACTIVE\n  ${first.id}  edge-7, ACTIVE\n`,
  });
  // An active token takes precedence.
  await call("registration-tokens.revoke", { params: { tokenId: first.id } });
  expect(await revoke()).toMatchObject({ status: 0, stdout: `${second.id}\n` });
  expect(await revoke()).toMatchObject({ status: 5 });
});

test.each(ways)("%s finds a command by the beginning of its id", async (way) => {
  const world = await openWorld();
  const first = await world.execute("sleeper", "snore");
  world.clock.advance(1000);
  const second = await world.execute("sleeper", "snore");
  const get = (text: string) => world.run(way, ["commands", "get", text, "-o", "name"]);
  expect((await get(shortest(first, [second]))).stdout).toBe(`${first}\n`);
  expect((await get(shortest(second, [first]).toLowerCase())).stdout).toBe(`${second}\n`);
  const several = `cmd_ matches more than one command:\n  ${second}  snore on sleeper, PENDING\n`;
  expect(await get("cmd_")).toMatchObject(failing(5, several));
  const cancelled = await world.run(way, ["commands", "cancel", shortest(first, [second])]);
  expect(cancelled.stdout).toContain(first);
});
