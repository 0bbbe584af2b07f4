// A generated key is shown only once, so only commands that show it may take it.

import { expect } from "vitest";
import { serveHttp } from "../../helpers/http/listen.ts";
import { test as base, cli, openWorld } from "../world.ts";
import { fetchCommand } from "./running.ts";

const key = "sk-generated-0123456789";
const executed = { success: true, output: { generatedKey: key } };
const run = ["actions", "run", "log-collector", "set-level", "--set", "level=info"];
const repeatable = [...run, "--request-id", "job-1"];

const test = base.extend("rotated", async () => {
  const world = await openWorld({ executed });
  /** Waits until the newest command has ended, and returns its id. */
  const ended = async () => {
    const [command] = await world.executions();
    const params = { commandId: command?.id ?? "" };
    const query = { wait: 60, secret: "keep" } as const;
    return (await world.as("owner").call("commands.get", { params, query })).id;
  };
  await world.run("--server", [...repeatable, "--detach"]);
  return { ...world, ended, id: await ended() };
});

test("`commands retry` and `commands cancel` leave it", async ({ rotated }) => {
  const { run, id } = rotated;
  const other = await rotated.execute("sleeper", "snore");
  for (const words of [
    ["retry", id],
    ["cancel", id, other],
  ]) {
    const refused = await run("--server", ["commands", ...words]);
    expect(refused).toMatchObject({ status: 5 });
    expect(refused.stdout).not.toContain(key);
  }
  expect((await run("--server", ["commands", "get", id])).stdout).toContain(key);
});

test("`commands get --columns` leaves it", async ({ rotated }) => {
  const { run, id } = rotated;
  const some = await run("--server", ["commands", "get", id, "--columns", "status"]);
  expect(some).toEqual({ status: 0, stdout: "status  SUCCEEDED\n", stderr: "" });
  expect((await run("--server", ["commands", "get", id])).stdout).toContain(key);
});

test("`-o output` leaves it if the action has written something else", async ({ rotated }) => {
  const { run } = rotated;
  await rotated.execute("sleeper", "snore");
  const { id, send, end } = await fetchCommand(rotated);
  await send("done\n");
  await end(executed);
  const when = "shown only once, within 5 minutes";
  const says = `\nThe result has a generatedKey, which is ${when}: platformctl commands get ${id}\n`;
  for (const verb of ["get", "wait"]) {
    const written = await run("--server", ["commands", verb, id, "-o", "output"]);
    expect(written).toEqual({ status: 0, stdout: "done\n", stderr: says });
  }
  expect((await run("--server", ["commands", "get", id])).stdout).toContain(key);
});

test.for(["get", "wait"])("`commands %s -o name` leaves it", async (verb, { rotated }) => {
  const { run, id } = rotated;
  const named = await run("--server", ["commands", verb, id, "-o", "name"]);
  expect(named).toEqual({ status: 0, stdout: `${id}\n`, stderr: "" });
  expect((await run("--server", ["commands", "get", id])).stdout).toContain(key);
});

test("a repeated `actions run` shows it", async ({ rotated }) => {
  const again = await rotated.run("--server", repeatable);
  expect(again.status).toBe(0);
  expect(again.stdout).toContain(key);
});

test.for([
  ["table", 0, /The role viewer is not enough.\nTo read it: platformctl commands logs cmd_/],
  ["output", 4, /^platformctl: The role viewer is not enough/m],
] as const)(
  "`commands wait -o %s` shows it even if the output cannot be read",
  async ([format, status, says], { rotated }) => {
    const error = { code: "FORBIDDEN", message: "The role viewer is not enough." };
    const server = await serveHttp(async ({ url = "", headers }, response) => {
      const { authorization = "" } = headers;
      const read = () => fetch(rotated.url + url, { headers: { authorization } });
      const isOutput = url.includes("/output");
      response.writeHead(isOutput ? 403 : 200, { "content-type": "application/json" });
      response.end(
        isOutput ? JSON.stringify({ success: false, error }) : await (await read()).text(),
      );
    });
    const words = ["commands", "wait", rotated.id, "--server", server, "-o", format];
    const ran = await cli(words, { env: { API_KEY: rotated.key }, io: { interactive: true } });
    expect(ran).toMatchObject({ status, stdout: expect.stringContaining(key) });
    expect(ran.stderr).toMatch(says);
  },
);
