// Golden cases for approvals and policies.

import { approve as approveAs, ask, guard, type Person, person } from "../approvals/people.ts";
import type { World } from "../world.ts";
import { type Cases, nextNumber } from "./case.ts";

const people = new WeakMap<World, Promise<{ ann: Person; ben: Person }>>();

/** Creates the policy and the users once for each world. */
function peopleOf(world: World) {
  const known = people.get(world) ?? introduce(world);
  people.set(world, known);
  return known;
}

async function introduce(world: World) {
  await guard(world);
  return { ann: await person(world, "ann"), ben: await person(world, "ben") };
}

async function request(world: World): Promise<string> {
  const { ann } = await peopleOf(world);
  return (await ask(ann)).id;
}

const newName = (world: World) => `careful ${nextNumber(world)}`;

async function policy(world: World): Promise<string> {
  const more = { name: newName(world), selector: "env=prod", expiresAfterSeconds: 3600 };
  return (await guard(world, more)).name;
}

const onePolicy = async (world: World) => [await policy(world)];

export const approvals: Cases = {
  "approvals list": {
    once: true,
    words: async (world) => {
      await request(world);
      return ["--state", "awaiting_approval"];
    },
    route: "approvals.list",
  },
  "approvals get": {
    once: true,
    words: async (world) => [await request(world)],
    route: "approvals.get",
    varies: ["digest"],
  },
  "approvals wait": {
    once: true,
    varies: ["digest"],
    words: async (world) => {
      const id = await request(world);
      await approveAs((await peopleOf(world)).ben, id);
      return [id];
    },
    route: "approvals.get",
  },
  "approvals withdraw": {
    words: async (world) => [await request(world), "--yes"],
    route: "approvals.withdraw",
    like: "approvals get",
  },
  "policies list": {
    once: true,
    words: async (world) => {
      await policy(world);
      return [];
    },
    route: "approval-policies.list",
  },
  "policies get": {
    once: true,
    words: onePolicy,
    route: "approval-policies.get",
  },
  "policies create": {
    words: (world) => [
      newName(world),
      ...["--danger", "high", "--selector", "env=prod", "--approvers", "owner"],
      ...["--approvals", "2", "--expires", "8h", "--order", "10"],
    ],
    route: "approval-policies.create",
    like: "policies get",
    same: (api, { id }) => api.call("approval-policies.get", { params: { policyId: id } }),
  },
  "policies update": {
    words: async (world) => [await policy(world), "--approvals", "2", "--danger", "any"],
    route: "approval-policies.update",
    like: "policies get",
  },
  "policies edit": { words: onePolicy, route: "approval-policies.get", like: "policies get" },
  "policies test": {
    once: true,
    words: async (world) => {
      await policy(world);
      // Only the first of these applies.
      for (let i = 0; i < 2; i++) await guard(world, { name: newName(world) });
      return ["log-collector", "rotate-log"];
    },
    route: "approval-policies.test",
  },
  "policies delete": {
    onlyTable: true,
    words: async (world) => [await policy(world), "--yes"],
    route: "approval-policies.delete",
  },
};
