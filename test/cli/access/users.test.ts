// Tests `users` commands. failures/table.ts has their failures.

import { describe, expect, test } from "vitest";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { failing, openWorld } from "../world.ts";
import { password as current, type Home, openSignedIn, openSite, signIn } from "./signed-in.ts";

const password = "correct horse battery";
const another = "another long enough one";

test("a user can be created, changed and deleted, and can sign in", async () => {
  const { run, as, request } = await openWorld();
  const way = "--server";
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
  const changes = { username: "ida", displayName: null, role: "viewer", status: "DISABLED" };
  expect(JSON.parse(updated.stdout)).toMatchObject(changes);
  const rename = (name: string) => run(way, ["users", "update", "ida", "--display-name", name]);
  expect((await rename("Ada Lovelace")).stdout).toMatch(/^display name +Ada Lovelace$/m);
  expect(await rename("Eve\u202e")).toMatchObject(failing(2, "--display-name: must be one line"));
  // Commands accept only usernames, not display names.
  expect(await run(way, ["users", "delete", "Ada Lovelace", "--yes"])).toMatchObject(
    failing(3, "there is no user Ada Lovelace"),
  );
  expect((await rename("")).stdout).not.toMatch("display name");
  const up = await run(way, ["users", "update", "ida", "--role", "operator", "--enable"]);
  expect(up).toMatchObject({ status: 0, stderr: "" });
  expect(await run(way, ["users", "delete", "ida", "--yes"])).toMatchObject({ status: 0 });
  expect((await run(way, ["users", "list", "-o", "name"])).stdout).toBe("eve\n");
});

describe("at a terminal", () => {
  test("`users create` asks twice for the hidden password, and rejects a weak one", async () => {
    const { db, as } = await openWorld();
    const words = ["users", "create", "--username", "ada", "--role", "viewer", "--db", db];
    const terminal = openTerminal(words);
    await terminal.answer("New password for ada:", `short${keys.enter}`);
    await terminal.answer(
      "The password must have 12 to 128 characters.",
      `${password}${keys.enter}`,
    );
    await terminal.answer("Repeat the new password:", `${another}${keys.enter}`);
    await terminal.answer(
      /The passwords differ: start again\.\n\? New password/,
      `${password}${keys.enter}`,
    );
    await terminal.answer(/again\.\n.*\n\? Repeat the new password:/, `${password}${keys.enter}`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/username +ada/);
    expect(terminal.raw()).not.toContain(password);
    expect((await as("owner").page("users.list")).data).toMatchObject([{ username: "ada" }]);
  });
});

describe("one's own password", () => {
  const changed = { status: 0, stdout: '{"changed":true,"sessionsEnded":0}\n', stderr: "" };
  const set = (home: Home, user: string, ...lines: string[]) =>
    home.run(["users", "set-password", user, "--password-stdin", "-o", "jsonl"], {
      stdin: lines.map((line) => `${line}\n`).join(""),
    });

  test("requires the current password, whether the user is named by name or id", async () => {
    const { home, as } = await openSignedIn();
    const [ana] = await as("owner").call("users.list", { query: { q: "ana" } });
    for (const given of ["ANA", ana!.id]) {
      const says = "currentPassword: is not the current password";
      expect(await set(home, given, "wrong", another)).toMatchObject(failing(2, says));
      expect(await set(home, given, current, another)).toEqual(changed);
      expect(await set(home, given, another, current)).toEqual(changed);
    }
  });

  test("can be set without access to users", async () => {
    const { home, url } = await openSite();
    await signIn(home, url, "ben");
    expect(await set(home, "ben", current, another)).toEqual(changed);
    const says = "requires the owner role, and ben has the viewer role";
    expect(await set(home, "ana", current, another)).toMatchObject(failing(4, says));
  });

  test("is set with two lines of input, and another user's with one", async () => {
    const { home } = await openSignedIn();
    const says = "the current password and the new one, one per line";
    expect(await set(home, "ana", another)).toMatchObject(failing(2, says));
    const other = await set(home, "ben", another);
    expect(JSON.parse(other.stdout)).toMatchObject({ username: "ben" });
  });
});
