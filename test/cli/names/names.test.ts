// Tests that commands accept an id, the beginning of an id, a code or a name.

import { expect, test } from "vitest";
import { shortId } from "../../../src/cli/output/short-ids.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, ways } from "../world.ts";

/** A world in which two services share a name. */
const named = perFile(async () => {
  const world = await openWorld();
  await world.registerAgent("db-agent", [
    { code: "orders-db", name: "Database", version: "1" },
    { code: "users-db", name: "Database", version: "1" },
    { code: "Database2", name: "orders-db", version: "1" },
  ]);
  // The path `/agents/export` belongs to another route.
  await world.registerAgent("export");
  const { data: services } = await world.as("owner").page("services.list");
  const { data: agents } = await world.as("owner").page("agents.list");
  const ids = Object.fromEntries([...services, ...agents].map(({ code, id }) => [code, id]));
  const { call } = world.as("owner");
  const password = "correct horse battery";
  await call("users.create", { body: { username: "Ada", password, role: "owner" } });
  await call("registration-tokens.create", { body: { name: "edge-7" } });
  // In a URL's path, these names would have another meaning.
  const policy = { approvers: { role: "owner" as const } };
  for (const name of odd) {
    await call("approval-policies.create", { body: { ...policy, name } });
  }
  return { ...world, ids };
});

const odd = ["test", "../agents", "eu / all", "ünder"];

test.each(ways)("%s finds things by code, id and odd names", async (way) => {
  const world = named();
  for (const name of odd) {
    const got = await world.run(way, ["policies", "get", name, "-o", "json"]);
    expect(JSON.parse(got.stdout)).toMatchObject({ name });
  }
  // The code orders-db is also another service's name.
  for (const [noun, code] of [
    ["services", "orders-db"],
    ["agents", "export"],
  ] as const) {
    for (const text of [code, world.ids[code] ?? ""]) {
      const ran = await world.run(way, [noun, "get", text, "-o", "json"]);
      expect(JSON.parse(ran.stdout)).toMatchObject({ code, id: world.ids[code] });
    }
  }
});

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

test("things are found by name and by a part of an id", async () => {
  const world = named();
  const way = "--db";
  const byName = await world.run(way, ["services", "get", "Log collector", "-o", "name"]);
  expect(byName.stdout).toBe("log-collector\n");
  const ids = Object.entries(world.ids).filter(([, id]) => id.startsWith("svc_"));
  for (const [code, id] of ids.slice(0, 2)) {
    const others = ids.map(([, other]) => other).filter((other) => other !== id);
    for (const part of [shortest(id, others), shortId(id), shortId(id).replace("..", "…")]) {
      const ran = await world.run(way, ["services", "get", part, "-o", "name"]);
      expect(ran.stdout).toBe(`${code}\n`);
    }
  }
});

test("the candidates for an ambiguous name are listed", async () => {
  const world = named();
  for (const text of ["Database", "svc_"]) {
    const ran = await world.run("--server", ["services", "get", text]);
    expect(ran).toMatchObject(failing(5, `platformctl: ${text} matches more than one service:\n`));
    for (const code of ["orders-db", "users-db"]) {
      expect(ran.stderr).toContain(`\n  ${world.ids[code]}  ${code}, Database, `);
    }
  }
});

test.each([
  { words: "agents get edge1", says: "no agent edge1. Did you mean edge-1?" },
  { words: "commands list --service sleepr", says: "no service sleepr. Did you mean sleeper?" },
  { words: "services get something-else", says: "no service something-else." },
  { words: "agents get %", says: "no agent %." },
  { words: "users get dada", says: "no user dada. Did you mean Ada?" },
  { words: "tokens get edge7", says: "no registration token edge7. Did you mean edge-7?" },
  { words: "api-keys revoke tets", says: "no API key tets. Did you mean test?" },
  { words: "commands get snore", says: "no command snore. `commands list` shows their ids." },
])("the error for a typo suggests the nearest name or the list: $words", async (one) => {
  const stderr = `platformctl: there is ${one.says}\n`;
  const ran = await named().run("--server", one.words.split(" "));
  expect(ran).toEqual({ status: 3, stdout: "", stderr });
});

/** Returns the shortest beginning that no other id has. */
function shortest(id: string, others: string[]): string {
  let length = "svc_".length;
  while (others.some((other) => other.startsWith(id.slice(0, length)))) length++;
  return id.slice(0, length);
}

test("tokens and keys are found by name and id, and users regardless of case", async () => {
  const world = named();
  const { call, page } = world.as("owner");
  const key = await call("api-keys.create", { body: { name: "ci", role: "viewer" } });
  const [ada] = await call("users.list");
  const { data: tokens } = await page("registration-tokens.list");
  const { id = "" } = tokens.find(({ name }) => name === "edge-7") ?? {};
  const others = tokens.map((token) => token.id).filter((other) => other !== id);
  const idOf = async (...words: string[]) => {
    const ran = await world.run("--server", [...words, "-o", "json"]);
    return ran.status === 0 ? JSON.parse(ran.stdout).id : ran.stderr;
  };
  for (const text of ["edge-7", id, shortest(id, others)]) {
    expect(await idOf("tokens", "get", text)).toBe(id);
  }
  for (const name of ["Ada", "ADA", ada!.id, ada!.id.slice(0, 9)]) {
    expect(await idOf("users", "get", name)).toBe(ada!.id);
  }
  expect(await idOf("api-keys", "revoke", "ci", "--yes")).toBe(key.id);
});

test("a name that several tokens share lists them with their states", async () => {
  const world = await openWorld();
  const { call } = world.as("owner");
  const body = { name: "edge-7" };
  const first = await call("registration-tokens.create", { body });
  const second = await call("registration-tokens.create", { body });
  const revoke = () => world.run("--server", ["tokens", "revoke", "edge-7", "--yes", "-o", "name"]);
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

test("commands and events of the same moment, and groups of problems, are found by their short ids", async () => {
  const world = await openWorld();
  const ids = [await world.execute("sleeper", "snore"), await world.execute("sleeper", "snore")];
  const list = ["commands", "list", "--columns", "id", "--no-headers"];
  const shown = (await world.run("--server", list, { io: { width: 80 } })).stdout;
  expect(shown.split("\n").slice(0, 2).toReversed()).toEqual(ids.map(shortId));
  expect((await world.run("--server", list)).stdout).toContain(ids[0]);
  for (const id of ids) {
    const short = shortId(id).toLowerCase();
    expect(short).toHaveLength("cmd_".length + 7 + "..".length + 6);
    const found = await world.run("--server", ["commands", "get", short, "-o", "name"]);
    expect(found.stdout).toBe(`${id}\n`);
  }
  const publish = ["events", "publish", "--type", "a.b", "--source", "sleeper", "-o", "name"];
  const { stdout: event } = await world.run("--server", publish);
  const short = shortId(event.trim());
  const got = await world.run("--server", ["events", "get", short, "-o", "name"]);
  expect(got.stdout).toBe(event);
  const none = await world.run("--server", ["commands", "list", "--event", short]);
  expect(none).toMatchObject({ status: 0, stderr: "Nothing matches.\n" });
  const audited = await world.run("--server", ["audit", "list", "--target", short, "-o", "json"]);
  expect(JSON.parse(audited.stdout)).toMatchObject([{ targetId: event.trim() }]);

  const groups = ["attention", "list", "--columns", "group", "--no-headers"];
  const { stdout } = await world.run("--server", groups, { io: { width: 80 } });
  expect(stdout).toMatch(/^[0-9a-f]{8}\n$/);
  const silence = (group: string) =>
    world.run("--server", ["attention", "silence", "--group", group, "-o", "json"]);
  expect(await silence("")).toMatchObject(failing(2, "--group needs the id of a group."));
  expect(JSON.parse((await silence(stdout.trim())).stdout)).toMatchObject({ services: 1 });
  expect(await silence("no-group")).toMatchObject({ stdout: "" });
});

test("a command is found by the beginning of its id, in any case", async () => {
  const world = await openWorld();
  const way = "--server";
  const first = await world.execute("sleeper", "snore");
  world.clock.advance(1000);
  const second = await world.execute("sleeper", "snore");
  const get = (text: string) => world.run(way, ["commands", "get", text, "-o", "name"]);
  expect((await get(shortest(second, [first]).toLowerCase())).stdout).toBe(`${second}\n`);
  const several = `cmd_ matches more than one command:\n  ${second}  snore on sleeper, PENDING\n`;
  expect(await get("cmd_")).toMatchObject(failing(5, several));
  const cancelled = await world.run(way, ["commands", "cancel", shortest(first, [second])]);
  expect(cancelled.stdout).toContain(first);
});

test.each(["tokens revoke", "tokens get", "agents get", "services list --agent"])(
  "%s refuses a token as a name, and does not print it",
  async (words) => {
    const token = "platform_reg_W9903QCUs7LO2JWWphpavEfbJq9l0IPPAKDPoHh4n1S1WbQEc";
    const ran = await named().run("--server", [...words.split(" "), token]);
    expect(ran).toMatchObject(failing(2, "and not a token or key."));
    expect(ran.stderr).not.toContain(token);
  },
);
