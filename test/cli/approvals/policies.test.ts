// How `policies create`, `update` and `edit` turn flags and files into policies, and what `test`
// shows.

import { expect, test } from "vitest";
import { failing, fileWith, openWorld, type World } from "../world.ts";
import { guard, person } from "./people.ts";

const policies = (world: World, words: string, options = {}) =>
  world.run("--server", ["policies", ...words.split(" ")], options);

async function stored({ as }: World) {
  return (await as("owner").call("approval-policies.list"))[0];
}

test("flags become fields, and the name of a role means the role", async () => {
  const world = await openWorld();
  await person(world, "ann");
  await person(world, "ben");
  const flags = "-l env=prod --approvals 2 --approvers ann,ben --expires 8h --order 10";
  const ran = await policies(world, `create careful --danger high ${flags}`);
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stderr).toMatch(
    /^warning: Agents can evade this policy, because they can report the label "env"\..*\n$/,
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
