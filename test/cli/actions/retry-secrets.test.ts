// `commands retry` needs the secrets again, because they were deleted when the command ended.

import { expect, test } from "vitest";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { failing, openWorld, type World } from "../world.ts";

const actions = [
  {
    name: "rotate",
    inputSchema: {
      properties: { pin: { type: "integer", writeOnly: true }, login: { type: "object" } },
    },
  },
];
const payload = { file: "a.log", pin: 1234, login: { password: "hunter2" } };

/** Cancels a command before its agent fetches it. `next` returns the agent's next payload. */
async function openCancelled() {
  const world = await openWorld();
  const service = { code: "vault", name: "Vault", version: "1", actions };
  const { client } = await world.registerAgent("edge-3", [service]);
  const id = await world.execute("vault", "rotate", payload);
  await world.as("owner").call("commands.cancel", { params: { commandId: id } });
  const next = async () => {
    const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
    return commands[0]?.payload;
  };
  return { world, id, next };
}

function retry(world: World, id: string, ...words: string[]) {
  return world.run("--server", ["commands", "retry", id, "--detach", ...words]);
}

test("without a terminal, the error names the missing secrets, and only they can be given", async () => {
  const { world, id, next } = await openCancelled();
  for (const [words, says] of [
    [[], /give --set pin=VALUE, or --secrets: a command's secrets are deleted/],
    [["--set", "pin=1"], /give --set login.password=VALUE/],
    [["--set", "file=b.log"], /Only its secrets can be given: pin, login.password/],
    [["--set", "login=x"], /Only its secrets can be given/],
    [["--set", "pin"], /must be key=value/],
    [["--secrets", "[]"], /--secrets must be a JSON object/],
    [["--secrets", '{"/pin":1}'], /give --set login.password=VALUE/],
    [["--secrets", '{"/pinn":1}'], /--secrets: \/pinn is not a secret of this command/],
    [["--secrets", '{"/pin":1}', "--set", "pin=2"], /give pin only once/],
    [["--secrets", '{"/pin":1}', "--set", "file=b"], /Only its secrets can be given: pin, login/],
  ] as const) {
    expect(await retry(world, id, ...words)).toMatchObject(failing(2, says));
  }
  expect(await next()).toBeUndefined();
});

test("--set gives the secrets, with the type that the schema declares", async () => {
  const { world, id, next } = await openCancelled();
  const done = await retry(world, id, "--set", "pin=5678", "--set", "login.password=hunter3");
  expect(done).toMatchObject({ status: 0 });
  expect(await next()).toEqual({ file: "a.log", pin: 5678, login: { password: "hunter3" } });
  const shown = await world.run("--server", ["commands", "get", id, "-o", "json"]);
  expect(shown.stdout).not.toContain("hunter2");
});

test("--secrets gives the secrets without showing them to other users of the host", async () => {
  const { world, id, next } = await openCancelled();
  const stdin = '{"/login/password":"hunter3"}';
  const words = ["commands", "retry", id, "--detach", "--set", "pin=5678", "--secrets", "-"];
  expect(await world.run("--server", words, { stdin })).toMatchObject({ status: 0 });
  expect(await next()).toEqual({ file: "a.log", pin: 5678, login: { password: "hunter3" } });
});

test("at a terminal the secrets are asked for and stay hidden", async () => {
  const { world, id, next } = await openCancelled();
  const terminal = openTerminal(["commands", "retry", id, "--detach", "--db", world.db]);
  await terminal.answer("pin (deleted when the command finished)", `5678${keys.enter}`);
  await terminal.answer(
    "login.password (deleted when the command finished)",
    `hunter3${keys.enter}`,
  );
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).not.toMatch(/5678|hunter3/);
  expect(await next()).toEqual({ file: "a.log", pin: 5678, login: { password: "hunter3" } });
});
