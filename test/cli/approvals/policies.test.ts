// How `policies create`, `update` and `edit` turn flags and files into policies, and what `test` shows.

import { expect, test } from "vitest";
import { fakeEditor, replace } from "../bus/fake-editor.ts";
import { failing, fileWith, openWorld, type World } from "../world.ts";
import { guard, person } from "./people.ts";

const policies = (world: World, words: string, options = {}) =>
  world.run("--server", ["policies", ...words.split(" ")], options);

async function stored({ as }: World, name = "careful") {
  const { data } = await as("owner").page("approval-policies.list");
  return data.find((policy) => policy.name === name);
}

test("flags become fields, and a name of a role is the role", async () => {
  const world = await openWorld();
  await person(world, "ann");
  await person(world, "ben");
  const flags = "-l env=prod --approvals 2 --approvers ann,ben --expires 8h --order 10";
  const ran = await policies(world, `create careful --danger high ${flags}`);
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stderr).toMatch(
    /^warning: Agents can leave this policy, because they report env\..*\n$/,
  );
  expect(await stored(world)).toMatchObject({
    ...{ dangerLevel: "HIGH", selector: "env=prod", action: null, approvals: 2, order: 10 },
    ...{ approvers: { users: ["ann", "ben"] }, expiresAfterSeconds: 8 * 3600 },
  });
  await policies(world, "update careful --approvers owner --danger any --action rotate-log");
  expect(await stored(world)).toMatchObject({
    ...{ dangerLevel: null, action: "rotate-log", selector: "env=prod", approvals: 2 },
    ...{ approvers: { role: "owner" }, version: 2, order: 10 },
  });
  await world.run("--server", ["policies", "update", "careful", "--selector", "", "--action", ""]);
  expect(await stored(world)).toMatchObject({ selector: null, action: null, version: 3 });
});

test("what is missing or wrong is reported before the server is asked", async () => {
  const world = await openWorld();
  const create = (words: string) => policies(world, `create ${words}`);
  expect(await create("careful")).toMatchObject(failing(2, "give --approvers"));
  expect(await create("--approvers owner")).toMatchObject(failing(2, "give the name"));
  await guard(world);
  expect(await policies(world, "update careful")).toMatchObject(failing(2, "give a change"));
  const taken = await create("careful --approvers owner");
  expect(taken.status).toBe(5);
  const unknown = await create("other --approvers nobody");
  expect(unknown).toMatchObject(failing(2, "--approvers: there is no user nobody"));
});

test("files replace a policy, also in the form of `get -o yaml`, and have line numbers", async () => {
  const world = await openWorld();
  await guard(world, { selector: "env=prod" });
  const { stdout } = await policies(world, "get careful -o yaml");
  const file = fileWith(stdout.replace(/^selector: .*\n/m, ""), "policy.yaml");
  expect(await policies(world, `update careful -f ${file}`)).toMatchObject({ status: 0 });
  expect(await stored(world)).toMatchObject({ selector: null, dangerLevel: "HIGH", version: 2 });
  const stale = await policies(world, `update careful -f ${file}`);
  expect(stale.status).toBe(5);
  const wrong = fileWith("name: x\nrole: owner\n", "policy.yaml");
  const refused = await policies(world, `create -f ${wrong} --approvers owner`);
  expect(refused).toMatchObject(failing(2, `${wrong}:2: there is no field role`));
});

test("`edit` saves what was changed", async () => {
  const world = await openWorld();
  await guard(world);
  const editor = fakeEditor(replace("order: 100", "order: 7"));
  const ran = await policies(world, "edit careful", { io: { editor: editor.command } });
  expect(ran).toMatchObject({ status: 0 });
  expect(editor.opened(1)).toContain('# Policy "careful", pol_');
  expect(await stored(world)).toMatchObject({ order: 7, version: 2 });
});

test("`test` says which policy counts, and why the earlier ones do not", async () => {
  const world = await openWorld();
  const without = await policies(world, "test log-collector rotate-log");
  expect(without.stdout).toBe("policy  none: it needs no approval\n");
  await guard(world, { name: "first", order: 1, action: "explode" });
  await guard(world, { name: "second", order: 2 });
  await guard(world, { name: "third", order: 3 });
  const { stdout } = await policies(world, "test log-collector rotate-log");
  expect(stdout).toMatch(/^policy +second\n/);
  expect(stdout).toMatch(/^ {2}1 +first +no +It is for the action explode\.$/m);
  expect(stdout).toMatch(/^ {2}2 +second +yes +It fits\.$/m);
  expect(stdout).toMatch(/^ {2}3 +third +no +An earlier policy counts\.$/m);
});
