// Operations on several items: by name, and by a selector.

import { expect } from "vitest";
import type { TestAgent } from "../../helpers/app.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { cli, failing, openWorld, test, type World } from "../world.ts";

/** A world for commands that fail. */
const shared = perFile(openWorld);

/** Adds an agent that makes no calls by itself. */
async function withThird(world: World) {
  return { ...world, third: await world.registerAgent("edge-3", []) };
}

async function labelled(world: World, third: TestAgent): Promise<void> {
  for (const [at, agent] of [world.sleeping, third].entries()) {
    await agent.client.call("agent.heartbeat", {
      body: { agent: { labels: { site: "cellar", rack: `${at}` } } },
    });
  }
}

test("several agents are disabled, and listed in the order of their names", async ({
  world: plain,
}) => {
  const { run } = await withThird(plain);
  const ran = await run("--db", "agents disable edge-2 edge-3 edge-2 -o name".split(" "));
  expect(ran).toMatchObject({ status: 0, stdout: "edge-2\nedge-3\n", stderr: "" });
  const enabled = await run("--server", "agents enable edge-3 edge-2 -o json".split(" "));
  expect(JSON.parse(enabled.stdout)).toMatchObject([{ code: "edge-3" }, { code: "edge-2" }]);
});

test("nothing is changed if a name does not exist", async () => {
  const world = shared();
  const ran = await world.run("--server", ["agents", "disable", "edge-1", "edge-7"]);
  expect(ran).toMatchObject(failing(3, "there is no agent edge-7"));
  const { stdout } = await world.run("--server", "agents list --status DISABLED".split(" "));
  expect(stdout).toBe("");
});

test("what the server refuses is listed, and the rest is done", async ({ world }) => {
  await world.run("--server", ["agents", "revoke-token", "edge-2", "--yes"]);
  await world.run("--server", ["services", "delete", "sleeper", "--yes"]);
  const words = ["agents", "delete", "edge-1", "edge-2", "--yes"];
  const ran = await world.run("--server", words);
  expect(ran.status).toBe(5);
  expect(ran.stderr).toContain("failed for 1 of 2 agents:\n  edge-1: The agent edge-1 is ONLINE.");
  expect(ran.stdout).toMatch(/^ID +DELETED\nagt_\w+ +true\n$/);
  const again = "agents delete edge-1 edge-1 --yes -o json".split(" ");
  const asJson = await world.run("--server", again);
  expect(asJson.stdout).toBe("[]\n");
  expect(JSON.parse(asJson.stderr).error).toMatchObject({
    code: "AGENT_NOT_OFFLINE",
    message: expect.stringMatching(/^failed for 1 of 1 agent:\n/),
    details: { failures: [{ name: "edge-1", error: { code: "AGENT_NOT_OFFLINE" } }] },
  });
});

/** Serves agents. The server refuses to disable `busy`, and drops the call for `lost`. */
async function serveUntilLost(): Promise<string> {
  const ids = ["busy", "lost", "free"].map((code, at) => ({
    id: `agt_${"abc"[at]?.repeat(26)}`,
    code: code === "busy" ? "busy\u001b" : code,
  }));
  return serveHttp(({ method, url = "" }, response) => {
    const name = url.split("/")[4] ?? "";
    const row = ids.find(({ id, code }) => id === name || code.startsWith(name));
    if (method === "POST" && row?.code === "lost") return void response.destroy();
    const isRefused = method === "POST" && row?.code !== "free";
    const error = { code: "AGENT_NOT_OFFLINE", message: "The agent is ONLINE." };
    response.writeHead(isRefused ? 409 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isRefused ? { success: false, error } : { success: true, data: row }),
    );
  });
}

test("if the server does not respond to a call for one of several agents, what failed so far is listed", async () => {
  const server = await serveUntilLost();
  const disable = (words: string) =>
    cli(`agents disable ${words} --server ${server}`.split(" "), {
      env: { API_KEY: "platform_key_x" },
    });
  const ran = await disable("busy lost free");
  expect(ran).toMatchObject({ status: 6 });
  expect(ran.stderr).toContain(
    "failed for 2 of the first 2 agents:\n  busy\\u001b: The agent is ONLINE.\n  lost: ",
  );
  // Programs also get the ids and codes.
  const asJson = await disable("busy lost -o json");
  expect(JSON.parse(asJson.stderr.split("\n")[0]!).note).toMatchObject({
    code: "PARTLY_FAILED",
    details: {
      failures: [
        { id: `agt_${"a".repeat(26)}`, name: "busy\u001b", error: { code: "AGENT_NOT_OFFLINE" } },
        { id: `agt_${"b".repeat(26)}`, name: "lost", error: { code: "UNREACHABLE" } },
      ],
    },
  });
  const atOnce = await disable("lost free");
  expect(atOnce.stderr).toContain("failed for the first agent:\n  lost: ");
  const afterAChange = await disable("free lost");
  expect(afterAChange.stderr).toContain("failed for 1 of the first 2 agents:\n  lost: ");
});

test("a limit on the rate of requests delays an operation on several items, and ends one on a single item", async () => {
  const row = (code: string) => ({ id: `agt_${"ab"[Number(code) - 1]?.repeat(26)}`, code });
  const refusals = new Set(["GET /1", "POST /1", "POST /2"]);
  const server = await serveHttp(({ method, url = "" }, response) => {
    const name = url.split("/")[4] ?? "";
    const agent = ["1", "2"].map(row).find(({ id, code }) => id === name || code === name);
    const isRefused = refusals.delete(`${method} /${agent?.code}`);
    const error = { code: "RATE_LIMITED", message: "Too many requests." };
    const headers = { "content-type": "application/json", "retry-after": "0" };
    response.writeHead(isRefused ? 429 : 200, headers);
    response.end(
      JSON.stringify(isRefused ? { success: false, error } : { success: true, data: agent }),
    );
  });
  const disable = (...names: string[]) =>
    cli(["agents", "disable", ...names, "-o", "name", "--server", server], {
      env: { API_KEY: "platform_key_x" },
    });
  expect(await disable("1", "2")).toEqual({
    status: 0,
    stdout: "1\n2\n",
    stderr: "The server limits the rate of requests, so the command takes longer.\n",
  });
  refusals.add("POST /1");
  expect(await disable("1")).toMatchObject(failing(1, "Too many requests."));
});

test("a change that the server would refuse needs no confirmation", async () => {
  const refused = await shared().run("--server", ["agents", "delete", "edge-1"]);
  expect(refused).toMatchObject(failing(5, "The agent edge-1 is ONLINE"));
  expect(refused.stderr).not.toContain("Add --yes");
});

test("a selector is confirmed, and leaves out what the state does not allow", async ({ world }) => {
  await labelled(world, (await withThird(world)).third);
  const words = ["agents", "enable", "-l", "site=cellar", "-o", "name"];
  await world.run("--server", ["agents", "disable", "edge-3"]);
  const asked = await world.run("--server", words);
  expect(asked).toMatchObject(failing(5, "Run `agents enable` on 1 agent: edge-3? Add --yes to"));
  const message = "Left out, because of their state: 1 agent: edge-2.";
  expect(asked.stderr).toContain(`${message}\n`);
  const asJson = await world.run("--server", [...words.slice(0, -1), "json"]);
  const [note] = asJson.stderr.split("\n");
  expect(JSON.parse(note ?? "")).toEqual({ note: { code: "LEFT_OUT", message } });
  const ran = await world.run("--server", [...words, "--yes"]);
  expect(ran).toMatchObject({ status: 0, stdout: "edge-3\n" });
  const none = await world.run("--server", ["agents", "disable", "-l", "site=attic"]);
  expect(none).toMatchObject({ status: 0, stdout: "", stderr: "Nothing was changed.\n" });
});

test("open commands are cancelled by the labels of their service's agent", async ({ world }) => {
  await labelled(world, world.working);
  await world.execute("log-collector", "set-level");
  await world.execute("sleeper", "snore");
  const asks = await world.run("--server", ["commands", "cancel", "-l", "site=cellar"]);
  const question = "Run `commands cancel` on 1 command: snore on sleeper, PENDING? Add --yes";
  expect(asks).toMatchObject(failing(5, question));
  const words = ["commands", "cancel", "-l", "site=cellar", "--yes", "-o", "json"];
  const { stdout, stderr } = await world.run("--server", words);
  expect(JSON.parse(stdout)).toMatchObject([{ serviceCode: "sleeper", status: "CANCELLED" }]);
  expect(stderr).toBe("");
});

test.each([
  ["agents disable edge-1 -l a=b", "give agents by name or with --selector, not both"],
  ["agents disable -l a:b", 'selector: has a:b; write a=b, or "a:b"'],
  ["agents list -l a,", "--selector: needs the key of a label at its end"],
  ["routes disable", "missing required argument 'route'"],
])("%s is refused: %s", async (words, says) => {
  expect(await shared().run("--server", words.split(" "))).toMatchObject(failing(2, says));
});
