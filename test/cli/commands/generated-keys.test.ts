// A generated key is shown only once, so only commands that show it may take it.

import { expect } from "vitest";
import { serveHttp } from "../../helpers/http/listen.ts";
import { test as base, cli, openWorld, type World } from "../world.ts";
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

/** Serves the world through a proxy. `refusalOf` may return a status and an error for a path. */
async function proxy(
  { url: origin }: World,
  refusalOf: (url: string) => [status: number, error: object] | null,
): Promise<string> {
  return serveHttp(async ({ url = "", headers }, response) => {
    const { authorization = "" } = headers;
    const refusal = refusalOf(url);
    const json = { "content-type": "application/json", "retry-after": "0" };
    response.writeHead(refusal?.[0] ?? 200, json);
    response.end(
      refusal
        ? JSON.stringify({ success: false, error: refusal[1] })
        : await (await fetch(origin + url, { headers: { authorization } })).text(),
    );
  });
}

test.for([
  ["table", 0, /The role viewer is not enough.\nTo read it: platformctl commands logs cmd_/],
  ["output", 4, /^platformctl: The role viewer is not enough/m],
] as const)(
  "`commands wait -o %s` shows it even if the output cannot be read",
  async ([format, status, says], { rotated }) => {
    const error = { code: "FORBIDDEN", message: "The role viewer is not enough." };
    const server = await proxy(rotated, (url) => (url.includes("/output") ? [403, error] : null));
    const words = ["commands", "wait", rotated.id, "--server", server, "-o", format];
    const ran = await cli(words, { env: { API_KEY: rotated.key }, io: { interactive: true } });
    expect(ran).toMatchObject({ status, stdout: expect.stringContaining(key) });
    expect(ran.stderr).toMatch(says);
  },
);

test("`commands wait -o output` shows it even if the server refuses a call for some time", async ({
  rotated,
}) => {
  const error = { code: "RATE_LIMITED", message: "Too many requests." };
  let isRefused = false;
  const server = await proxy(rotated, (url) => {
    if (isRefused || url.includes("secret=keep") || url.includes("/output")) return null;
    isRefused = true;
    return [429, error];
  });
  const words = ["commands", "wait", rotated.id, "--server", server, "-o", "output"];
  const ran = await cli(words, { env: { API_KEY: rotated.key } });
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining(key) });
  expect(ran.stderr).toContain("Too many requests; retrying");
});
