// Tests output formats: tables in a pipe or at a terminal, JSON, YAML, names and metrics.

import { expect, test } from "vitest";
import { serveHttp } from "../../helpers/http/listen.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { cli, failing, openWorld, ways } from "../world.ts";

/** A world for commands that change nothing. */
const world = perFile(openWorld);

test.each(["list", "get edge-1"])("the columns of `agents %s` can be chosen", async (verb) => {
  const words = ["agents", ...verb.split(" "), "--columns", "code,status"];
  const chosen = await world().run("--server", words);
  expect(chosen.stdout).toMatch(/^code.*\bstatus\b/is);
  expect(chosen.stdout).not.toMatch(/mode/i);
  const bare = await world().run("--server", [...words, "--no-headers"]);
  expect(bare.stdout).not.toMatch(/code|status/i);
});

test("an empty list prints the next step on stderr, and nothing else in formats for programs", async () => {
  const none = ["commands", "list"];
  const { stdout, stderr } = await world().run("--server", none);
  expect({ stdout, stderr }).toEqual({
    stdout: "",
    stderr: "No commands. Run an action: platformctl actions run SERVICE ACTION\n",
  });
  const forms = { json: "[]\n", jsonl: "", yaml: "[]\n", name: "" };
  for (const [form, text] of Object.entries(forms)) {
    const ran = await world().run("--server", [...none, "-o", form]);
    expect(ran).toEqual({ status: 0, stdout: text, stderr: "" });
  }
});

test("a list with more pages says on stderr how to continue", async () => {
  const first = await world().run("--server", ["agents", "list", "--limit", "1"]);
  expect(first.stderr).toBe("\n1 to 1 of 2; continue with --page 2, or --all\n");
  const second = await world().run("--server", ["agents", "list", "--limit", "1", "--page", "2"]);
  expect(second.stderr).toBe("\n2 to 2 of 2\n");
  const beyond = await world().run("--server", ["agents", "list", "--page", "9"]);
  expect(beyond.stderr).toBe("There is no page 9: the list has 2 rows.\n");
  expect(first.stdout).toContain("edge-1");
  expect(second.stdout).toContain("edge-2");
});

test("`maintenance run` prints a line for each part of the report", async () => {
  const shown = await world().run("--server", ["maintenance", "run"]);
  const { stdout } = await world().run("--server", ["maintenance", "run", "-o", "json"]);
  expect(shown.stdout.trimEnd().split("\n")).toHaveLength(Object.keys(JSON.parse(stdout)).length);
});

test("states are coloured only where colours are enabled", async () => {
  const words = ["services", "list", "--columns", "code,status"];
  const plain = await world().run("--server", words);
  expect(plain.stdout).not.toContain("\u001b");
  const colourful = await world().run("--server", words, { io: { colour: true } });
  expect(colourful.stdout).toContain("\u001b[32mHEALTHY\u001b[39m");
  expect(colourful.stdout).toContain("\u001b[31mUNHEALTHY\u001b[39m");
});

test("a command that only reads prints nothing if a column is unknown, and `health` knows all of its columns", async () => {
  for (const words of [
    ["health"],
    ["audit", "verify"],
    ["services", "wait", "log-collector"],
    ["actions", "list", "log-collector"],
  ]) {
    const ran = await world().run("--server", [...words, "--columns", "nope"]);
    expect(ran).toMatchObject(failing(2, "there is no column nope; the columns are: "));
  }
  const problem = await world().run("--server", ["health", "--columns", "problem"]);
  expect(problem).toEqual({ status: 0, stdout: "problem  -\n", stderr: "" });
});

test("after a change of several items, an unknown column is only noted", async () => {
  const world = await openWorld();
  await world.run("--server", ["agents", "revoke-token", "edge-2", "--yes"]);
  await world.run("--server", ["services", "delete", "sleeper", "--yes"]);
  const words = ["agents", "delete", "edge-1", "edge-2", "--yes", "--columns", "nope"];
  const ran = await world.run("--server", words);
  expect(ran).toMatchObject({ status: 5, stdout: expect.stringMatching(/^ID +DELETED\nagt_/) });
  expect(ran.stderr).toContain("there is no column nope; the columns are: id, deleted.\n");
  expect(ran.stderr).toContain("failed for 1 of 2 agents:\n  edge-1: The agent edge-1 is ONLINE.");
});

test("attention list --exit-code exits with 1 until each problem is acknowledged or silenced", async () => {
  const world = await openWorld();
  const list = ["attention", "list", "--exit-code", "--columns", "first", "--no-headers"];
  expect(await world.run("--server", list)).toMatchObject({ status: 1, stdout: "sleeper\n" });
  await world.run("--server", ["attention", "acknowledge", "sleeper"]);
  expect(await world.run("--server", list)).toMatchObject({ status: 0, stdout: "" });
  const handled = await world.run("--server", [...list, "--handled"]);
  expect(handled).toMatchObject({ status: 0, stdout: "sleeper\n" });
  const narrow = await world.run("--server", ["attention", "list", "--handled"]);
  expect(narrow.stdout).toMatch(/^PROBLEM +REASON +HANDLED +BY +NOTE +UNTIL /);
});

test.each([
  {
    words: ["--columns", "code,nope"],
    says: "there is no column nope; the columns are: code, status,",
  },
  {
    words: ["-o", "xml"],
    says: "argument 'xml' is invalid. Allowed choices are table, wide, json",
  },
])("$words is a usage error", async ({ words, says }) => {
  const ran = await cli(["services", "list", ...words, "--db", world().db]);
  expect(ran).toMatchObject(failing(2, says));
});

test("no line is longer than a terminal of 40 columns, and left-out columns are named", async () => {
  const world = await openWorld();
  await world.execute("sleeper", "snore");
  for (const noun of ["services", "commands"]) {
    for (const form of ["table", "wide"]) {
      const ran = await world.run("--server", [noun, "list", "-o", form], { io: { width: 40 } });
      const longest = Math.max(...ran.stdout.split("\n").map((line) => line.length));
      expect(longest, `${noun} ${form}\n${ran.stdout}`).toBeLessThanOrEqual(40);
    }
  }
  const { stdout, stderr } = await world.run("--server", ["agents", "list"], { io: { width: 40 } });
  expect(stdout).toMatch(/^CODE {4}STATUS {2}LAST SEEN {2}SERVICES\n/);
  expect(stderr).toBe(
    "\nThere was not enough room for WHY, MODE,\nVERSION: -o wide shows every column.\n",
  );
});

test("a metric is named by its path, and can be printed alone", async () => {
  const one = ["metrics", "--columns", "byStatus.agents.ONLINE", "--no-headers"];
  expect((await world().run("--server", one)).stdout).toBe("2\n");
});

test("metrics can be printed in the Prometheus format", async () => {
  for (const way of ways) {
    const { status, stdout } = await world().run(way, ["metrics", "--prometheus"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^# TYPE \w+ \w+$/m);
    expect(stdout).toMatch(/agents\{status="ONLINE"\} 2$/m);
  }
});

test.each([
  ["metrics", "--prometheus"],
  ["audit", "export", "--format", "csv"],
  ["api", "GET", "metrics/prometheus"],
])("text that ends within a character shows that it is incomplete: %s %s", async (...words) => {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(Buffer.from("# é").subarray(0, 3));
  });
  const ran = await cli([...words, "--server", url], {
    env: { API_KEY: "platform_key_x" },
    io: { isTerminal: true },
  });
  expect(ran.status).toBe(0);
  expect(Buffer.from(ran.stdout, "latin1").toString("utf8")).toBe("# \ufffd");
});

test("with --db, health and diagnostics say that no server has responded", async () => {
  const server = await world().run("--server", ["health"]);
  expect(server.stdout).toContain(`answered by  ${world().url}\n`);
  const file = await world().run("--db", ["health"]);
  expect(file.stdout).toContain(
    `this command, which works on ${world().place.name} without a server`,
  );
  expect((await world().run("--db", ["diagnostics"])).stderr).toContain("--db uses no server");
  expect((await world().run("--server", ["diagnostics"])).stderr).toBe("");
});

test("--sort takes the names of columns", async () => {
  const codes = async (sort: string) => {
    const words = ["agents", "list", "--sort", sort, "-o", "name"];
    const { status, stdout, stderr } = await world().run("--server", words);
    return status === 0 ? stdout.trim().split("\n") : { status, stderr };
  };
  expect(await codes("code")).toEqual(["edge-1", "edge-2"]);
  expect(await codes("-code")).toEqual(["edge-2", "edge-1"]);
  expect(await codes("-LAST-SEEN")).toHaveLength(2);
  expect(await codes("labels")).toEqual({
    status: 2,
    stderr:
      "platformctl: --sort labels: choose one of code, last-seen, mode, version, name, registered.\n",
  });
  expect(await codes("-")).toMatchObject({ status: 2 });
});
