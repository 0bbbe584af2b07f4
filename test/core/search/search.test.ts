// The search over everything that has a name or an id.

import { expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { openTestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { openScene, test } from "../scene.ts";

const service = (
  code: string,
  name = code,
  actions: { name: string; hidden?: boolean }[] = [],
) => ({
  ...{ code, name, version: "1.0.0", healthStatus: "UP", actions },
});

const actions = [{ name: "restart" }, { name: "clear-cache" }, { name: "repair", hidden: true }];
const fleet = [
  service("log-collector", "Log collector"),
  service("web-30", "Shop, replica", actions),
  service("web-3", "Shop", actions),
  service("shop-db", "Database of web-3"),
  service("old-web-3", "Old shop"),
];

async function found(client: Client, q: string, limit?: number): Promise<string[]> {
  const query = { q, ...(limit === undefined ? {} : { limit }) };
  const results = await client.call("search.find", { query });
  return results.map(({ noun, title, action }) =>
    action ? `${action.name} ${title}` : `${noun} ${title}`,
  );
}

test("exact codes come first, then beginnings of codes and names, then parts", async () => {
  const { as } = await openScene({}, fleet);
  const viewer = as("viewer");
  expect(await found(viewer, "WEB-3")).toEqual([
    "services web-3",
    "services web-30",
    "services shop-db",
    "services old-web-3",
  ]);
  expect(await found(viewer, "shop")).toEqual([
    "services web-3",
    "services shop-db",
    "services web-30",
    "services old-web-3",
  ]);
  expect(await found(viewer, "web-3", 2)).toEqual(["services web-3", "services web-30"]);
  expect(await found(viewer, "replica web")).toEqual(["services web-30"]);
  expect(await found(viewer, "edge")).toEqual(["agents edge-1"]);
  expect(await found(viewer, "%")).toEqual([]);
  expect(await found(viewer, "\0")).toEqual([]);
});

test("a result has its name and its effective status", async () => {
  const { as, clock } = await openScene({}, fleet);
  const search = async (q: string) => (await as("viewer").call("search.find", { query: { q } }))[0];
  expect(await search("web-3")).toMatchObject({
    ...{ noun: "services", title: "web-3", about: "Shop", status: "HEALTHY", action: null },
  });
  clock.advance(3_600_000);
  expect(await search("web-3")).toMatchObject({ status: "OFFLINE" });
});

test("operators find actions of services, in either order of the words", async () => {
  const { as } = await openScene({}, fleet);
  const operator = as("operator");
  for (const q of ["restart web-3", "web-3 RESTART", "rest web-3"]) {
    expect(await found(operator, q)).toEqual(["restart web-3", "restart web-30"]);
  }
  expect(await found(operator, "clear cache shop replica")).toEqual(["clear-cache web-30"]);
  expect(await found(operator, "repair web-3")).toEqual([]);
  expect(await found(operator, "restart log")).toEqual([]);
  expect(await found(as("viewer"), "restart web-3")).toEqual([]);
  const [first] = await operator.call("search.find", { query: { q: "restart web-3" } });
  expect(first?.action).toMatchObject({ name: "restart", dangerLevel: "LOW" });
});

test("an action is found even if the services that match best do not have it", async () => {
  const { as, report, registerAgent } = await openScene({}, [service("log-collector")]);
  await report(Array.from({ length: 205 }, (_, n) => service(`web-${n}`)));
  await registerAgent("edge-2", [service("web-of-the-rest", "Web", actions)]);
  expect(await found(as("operator"), "restart web")).toEqual(["restart web-of-the-rest"]);
});

test("ids are found by their beginning, with and without the prefix, in any letter case", async ({
  scene,
}) => {
  const { as, execute, agent, serviceId } = scene;
  const viewer = as("viewer");
  const commandId = await execute();
  for (const q of [commandId, commandId.toLowerCase(), commandId.slice(4)]) {
    const results = await viewer.call("search.find", { query: { q } });
    expect(results).toMatchObject([
      { noun: "commands", id: commandId, title: "rotate", about: "log-collector" },
    ]);
  }
  for (const id of [agent.agentId, serviceId]) {
    expect(await viewer.call("search.find", { query: { q: id } })).toMatchObject([{ id }]);
  }
  const all = await viewer.call("search.find", { query: { q: commandId.slice(0, 5) } });
  expect(all).toMatchObject([{ id: commandId, status: "PENDING" }]);
});

test("everything with a name is found, but only by callers who may list it", async () => {
  const { as, asPrincipal } = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const [operator, owner, viewer] = [as("operator"), as("owner"), as("viewer")];
  const name = "nightly";
  const view = { name, noun: "agents", query: {}, shared: true } as const;
  await operator.call("saved-views.create", { body: view });
  const target = { kind: "action", service: "log-collector", action: "rotate" } as const;
  await operator.call("schedules.create", { body: { name, everySeconds: 60, target } });
  await operator.call("registration-tokens.create", { body: { name } });
  await operator.call("bus-routes.create", {
    body: { name, match: { type: "a.b" }, target: { serviceCode: "s", action: "a" } },
  });
  await owner.call("users.create", {
    body: { username: name, password: "correct horse battery", role: "viewer" },
  });
  await owner.call("api-keys.create", { body: { name, role: "viewer" } });
  const all = ["schedules", "bus-routes", "registration-tokens", "saved-views"];
  for (const caller of [viewer, operator]) {
    expect(await found(caller, name)).toEqual(all.map((noun) => `${noun} ${name}`));
  }
  expect(await found(owner, name)).toEqual(
    [...all, "users", "api-keys"].map((noun) => `${noun} ${name}`),
  );

  const [user] = await owner.call("users.list", { query: { q: name } });
  const params = { userId: user!.id };
  await owner.call("users.update", { params, body: { displayName: "Night Watch" } });
  for (const q of ["night watch", "nightly watch"]) {
    expect(await owner.call("search.find", { query: { q } })).toMatchObject([
      { noun: "users", title: name, about: "Night Watch", status: "ACTIVE" },
    ]);
  }

  const person = asPrincipal({
    ...{ kind: "user", userId: user!.id, username: name, role: "viewer", sessionId: "ses_1" },
  });
  await person.call("saved-views.create", { body: { ...view, name: "mine", shared: false } });
  expect(await found(person, "mine")).toEqual(["saved-views mine"]);
  expect(await found(owner, "mine")).toEqual([]);
});

test("routes and events of the bus are found only while it is on", async () => {
  const on = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const { id } = await on.as("operator").call("bus-events.publish", {
    body: { type: "order.paid", source: "log-collector" },
  });
  const results = await on.as("viewer").call("search.find", { query: { q: id } });
  expect(results).toMatchObject([
    { noun: "bus-events", title: "order.paid", about: "log-collector" },
  ]);
  expect(await found(openTestApp().as("viewer"), id)).toEqual([]);
});

test("a search needs a text, and has a limit", async ({ scene }) => {
  const viewer = scene.as("viewer");
  const find = (query: { q: string; limit?: number }) => viewer.call("search.find", { query });
  await expectRefused(find({ q: "  " }), "VALIDATION_FAILED");
  await expectRefused(find({ q: "x".repeat(201) }), "VALIDATION_FAILED");
  await expectRefused(find({ q: "x", limit: 51 }), "VALIDATION_FAILED");
});
