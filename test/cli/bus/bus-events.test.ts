// Tests the `events` commands.

import { describe, expect } from "vitest";
import { serveHttp } from "../../helpers/http/listen.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { cli, failing, fileWith, openWorld, test, type World } from "../world.ts";

const least = ["--type", "log.full", "--source", "log-collector"];
const target = { serviceCode: "log-collector", action: "set-level" };

async function publish({ run }: World, words: string[], stdin?: string) {
  const options = stdin === undefined ? {} : { stdin };
  const ran = await run("--server", ["events", "publish", ...words, "-o", "json"], options);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

/** A world for events that no route matches, and for commands that are refused. */
const shared = perFile(() => openWorld());

describe("the published event", () => {
  const yaml = "type: log.full\nsource: log-collector\ndata:\n  file: app.log\nsubject: a\n";

  const given = least.join(" ");

  test.for<[what: string, words: string, event: object, stdin?: string]>([
    ["flags alone", given, { type: "log.full" }],
    [
      "all flags",
      `${given} --id 1 --subject s --data [1] --cause x`,
      { id: "1", subject: "s", data: [1], causationid: "x" },
    ],
    ["a YAML file", "-f FILE", { subject: "a", data: { file: "app.log" } }],
    ["YAML on standard input", "-f -", { subject: "a" }, yaml],
    ["JSON on standard input", "-f -", { type: "a" }, '{"type":"a","source":"log-collector"}'],
    [
      "flags that override a file",
      "-f FILE --type b --data null",
      { type: "b", data: null, subject: "a" },
    ],
    ["flags, with data from a file", `${given} --data @TEXT`, { data: "x" }],
    ["flags, with data from standard input", `${given} --data -`, { data: 7 }, "7"],
  ])("can come from %s", async ([_what, words, event, stdin]) => {
    const named = words.replace("FILE", fileWith(yaml)).replace("TEXT", fileWith('"x"'));
    expect((await publish(shared(), named.split(" "), stdin)).event).toMatchObject(event);
  });
});

test.for<[words: string[], stdin: string, status: number, says: string]>([
  [[], "", 2, "give the event with --file FILE (or -), or with --type TYPE and --source CODE."],
  [["--type", "a"], "", 2, "give the event with"],
  [["-f", "/nowhere.yaml"], "", 2, "--file: /nowhere.yaml cannot be read: it does not exist."],
  [["-f", "-"], "- a\n", 2, "standard input:1: must contain an event: fields with values"],
  [["-f", "-"], "a: [\n", 2, "standard input:2:"],
  [[...least, "--data", "hello"], "", 2, `--data is not JSON (text needs quotes: '"text"')`],
  [[...least, "--data", "@/nowhere"], "", 2, "--data: /nowhere cannot be read"],
  [["--type", "a..b", "--source", "x"], "", 2, "type: must be a dotted name"],
  [
    ["--type", "a", "--source", "log-colector"],
    "",
    3,
    "there is no service log-colector. Did you mean log-collector?",
  ],
])("`events publish` refuses %j", async ([words, stdin, status, says]) => {
  expect(await shared().run("--server", ["events", "publish", ...words], { stdin })).toMatchObject(
    failing(status, says),
  );
});

test("an event gets an id before it is sent; without a response, a note names the id", async () => {
  const world = shared();
  const publishing = (...words: string[]) =>
    world.run("--server", ["events", "publish", ...least, ...words]);
  const first = await publishing("-o", "json");
  const second = await publishing("-o", "json");
  const ids = [first, second].map(({ stdout }) => JSON.parse(stdout).event.id);
  expect(ids[0]).toMatch(/^cli_[0-9A-Z]{26}$/);
  expect(ids[1]).not.toBe(ids[0]);
  const words = ["events", "publish", ...least, "--server"];
  const lost = await cli([...words, "http://127.0.0.1:1"], { env: { API_KEY: world.key } });
  expect(lost).toMatchObject(
    failing(6, /^If you are not sure .* with --id cli_\w{26}\.\nplatformctl: cannot/),
  );
  const gateway = await serveHttp((_, response) => response.writeHead(502).end("<h1>Bad</h1>"));
  const { stderr } = await cli([...words, gateway, "--id", "1\n\u001b[2J"]);
  expect(stderr).toMatch(/^If you are not sure .* with --id 1\\n\\u001b\[2J\.\nplatformctl: /);
  const json = await cli([...words, gateway, "-o", "json"]);
  const lines = json.stderr.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: { source: "log-collector", id: expect.stringMatching(/^cli_\w{26}$/) } },
    { error: { code: "UNAVAILABLE" } },
  ]);
});

test("`events publish` shows what the routes did with the event, and a command shows its route", async ({
  world,
}) => {
  const publishing = () => world.run("--server", ["events", "publish", ...least, "--id", "1"]);
  const { stderr } = await publishing();
  expect(stderr).toBe("\nThe event matches no route that is ENABLED or DRY_RUN.\n");
  expect((await publishing()).stderr).toContain("The event already existed");

  const rules = [
    { state: "ENABLED", target },
    { state: "ENABLED", target },
    { state: "DRY_RUN", target },
    { state: "ENABLED", target: { ...target, action: "vanish" } },
  ] as const;
  for (const [index, rule] of rules.entries()) {
    const body = { name: `r${index}`, match: { type: "log.full" }, ...rule };
    await world.as("operator").call("bus-routes.create", { body });
  }
  const ran = await world.run("--server", ["events", "publish", ...least]);
  expect(ran.stderr).toBe("");
  // The agent may already have fetched or run the commands.
  const outcome = /^outcome +(\d command\w* \w+, )+1 dry run, 1 route failed$/m;
  expect(ran.stdout).toMatch(outcome);
  expect(ran.stdout).toMatch(
    /^ {2}r0 {2}COMMAND_CREATED {2}cmd_\w+ {2}(PENDING|RUNNING|SUCCEEDED)$/m,
  );
  expect(ran.stdout).toMatch(/^ {2}r2 {2}DRY_RUN$/m);
  expect(ran.stdout).toMatch(/^ {2}r3 {2}FAILED +The service .* no action vanish\.$/m);

  const { id, routes } = await publish(world, least);
  const got = await world.run("--server", ["commands", "get", routes[0].commandId]);
  expect(got.stdout).toMatch(/^by +route r0$/m);
  expect(got.stdout).toMatch(new RegExp(`^event +${id}$`, "m"));
  expect(got.stdout).toMatch(new RegExp(`^route +${routes[0].routeId}$`, "m"));
});
