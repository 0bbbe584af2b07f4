// Tests `users` commands. failures/table.ts has their failures.

import { describe, expect, test } from "vitest";
import { commandLine } from "../../../src/cli/commands/index.ts";
import { setPassword } from "../../../src/cli/commands/users/passwords.ts";
import { processIo } from "../../../src/cli/terminal/io.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Role } from "../../../src/domain/principals.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { openWorld, ways } from "../world.ts";

const password = "correct horse battery";
const another = "another long enough one";

test.each(ways)("%s: a user can be created, changed and deleted, and can sign in", async (way) => {
  const { run, as, request } = await openWorld();
  const login = async (given: string) => {
    const body = { username: "ada", password: given };
    return (await request("POST", "/api/admin/auth/login", { body })).status;
  };
  const stdin = { stdin: `${password}\r\n` };
  const create = ["users", "create", "--username", "ada", "--role", "owner", "--password-stdin"];
  expect(await run(way, create, stdin)).toMatchObject({ status: 0, stderr: "" });
  expect(await login(password)).toBe(200);
  const set = ["users", "set-password", "ada", "--password-stdin"];
  expect(await run(way, set, { stdin: another })).toMatchObject({ status: 0, stderr: "" });
  expect([await login(password), await login(another)]).toEqual([401, 200]);
  const ended = await run(way, ["users", "end-sessions", "ada", "-o", "json"]);
  expect(JSON.parse(ended.stdout)).toEqual({ ended: 2 });

  await as("owner").call("users.create", { body: { username: "eve", password, role: "owner" } });
  const update = ["users", "update", "ada", "--username", "ida", "--role", "viewer", "--disable"];
  const updated = await run(way, [...update, "--yes", "-o", "json"]);
  const changes = { username: "ida", role: "viewer", status: "DISABLED" };
  expect(JSON.parse(updated.stdout)).toMatchObject(changes);
  const up = await run(way, ["users", "update", "ida", "--role", "operator", "--enable"]);
  expect(up).toMatchObject({ status: 0, stderr: "" });
  expect(await run(way, ["users", "delete", "ida", "--yes"])).toMatchObject({ status: 0 });
  expect((await run(way, ["users", "list", "-o", "name"])).stdout).toBe("eve\n");
});

describe("at a terminal", () => {
  test("`users create` asks twice for the hidden password, and rejects a weak one", async () => {
    const { file, as } = await openWorld();
    const words = ["users", "create", "--username", "ada", "--role", "viewer", "--db", file];
    const terminal = openTerminal(words);
    await terminal.shows("New password for ada:");
    terminal.type(`short${keys.enter}`);
    await terminal.shows("The password must have 12 to 128 characters.");
    terminal.type(`${password}${keys.enter}`);
    await terminal.shows("Repeat the new password:");
    terminal.type(`${another}${keys.enter}`);
    await terminal.shows(/The passwords differ: start again\.\n\? New password/);
    terminal.type(`${password}${keys.enter}`);
    await terminal.shows(/again\.\n.*\n\? Repeat the new password:/);
    terminal.type(`${password}${keys.enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/username +ada/);
    expect(terminal.raw()).not.toContain(password);
    expect((await as("owner").page("users.list")).data).toMatchObject([{ username: "ada" }]);
  });
});

describe("one's own password", () => {
  const changed = '{"changed":true,"sessionsEnded":0}\n';

  test("requires the current password, whether the user is named by name or id", async () => {
    const { api, user } = await openSession(openTestApp());
    for (const given of ["ADA", user.id, user.id.slice(0, 12)]) {
      const wrong = set(api, given, `wrong\n${another}\n`);
      await expect(wrong).rejects.toThrow(/currentPassword: is not the current password/);
      expect(await set(api, given, `${password}\n${another}\n`)).toBe(changed);
      expect(await set(api, given, `${another}\n${password}\n`)).toBe(changed);
    }
  });

  test("can be set without access to users", async () => {
    const { api } = await openSession(openTestApp(), "viewer");
    const stdin = `${password}\n${another}\n`;
    expect(await set(api, "ada", stdin)).toBe(changed);
    const other = set(api, "eve", stdin);
    await expect(other).rejects.toThrow(/requires the owner role; yours is viewer/);
  });

  test("is set with two lines of input, and another user's with one", async () => {
    const app = openTestApp();
    const { api } = await openSession(app);
    const body = { username: "eve", password, role: "viewer" } as const;
    await app.as("owner").call("users.create", { body });
    const short = set(api, "ada", `${another}\n`);
    await expect(short).rejects.toThrow(/the current password and the new one, one per line/);
    expect(JSON.parse(await set(api, "eve", `${another}\n`))).toMatchObject({ username: "eve" });
  });
});

/** Creates the user ada, and returns a client with her session. */
async function openSession({ as, asPrincipal }: TestApp, role: Role = "owner") {
  const body = { username: "ada", password, role };
  const user = await as("owner").call("users.create", { body });
  const sessionId = "ses_01K00000000000000000000000";
  const principal = { kind: "user", userId: user.id, username: "ada", role } as const;
  return { user, api: asPrincipal({ ...principal, sessionId }) };
}

/** Runs `users set-password`, and returns the output. */
async function set(api: Client, user: string, stdin: string): Promise<string> {
  let printed = "";
  await setPassword({
    io: {
      ...processIo("platformctl"),
      readStdin: async () => stdin,
      out(text) {
        printed += text;
      },
    },
    table: commandLine,
    args: [user],
    options: { passwordStdin: true, output: "jsonl" },
    client: async () => api,
    signal: new AbortController().signal,
  });
  return printed;
}
