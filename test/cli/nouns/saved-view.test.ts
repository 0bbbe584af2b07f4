// `--view`: a list with the filters, the order and the columns of a saved view.

import { expect, test } from "vitest";
import { nouns } from "../../../src/api/contract/nouns.ts";
import type { Body } from "../../../src/api/index.ts";
import { ambiguous } from "../../../src/cli/names/search.ts";
import { withView } from "../../../src/cli/nouns/saved-view.ts";
import type { Client } from "../../../src/client/client.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { failing, openWorld, type Way } from "../world.ts";

type NewView = Body<"saved-views.create">;

const saved: Partial<Record<string, Omit<NewView, "name" | "shared">>> = {
  sick: {
    noun: "services",
    query: { status: "UNHEALTHY,STALE", sort: "-code", columns: "status,gone,code" },
  },
  backwards: { noun: "agents", query: { sort: "-code" } },
  "started today": { noun: "commands", query: { from: "today", status: "PENDING" } },
  denials: { noun: "audit-events", query: { result: "DENIED", columns: "at,action" } },
};

const shared = perFile(async () => {
  const world = await openWorld();
  const { call } = world.as("owner");
  for (const [name, view] of Object.entries(saved)) {
    await call("saved-views.create", { body: { ...(view as NewView), name, shared: true } });
  }
  await world.execute("sleeper", "snore");
  return world;
});

const list = (words: string[], way: Way = "--server") => shared().run(way, words);

test("a view sets filters, order and columns, and flags win", async () => {
  const way = "--server";
  const sick = ["services", "list", "--view", "sick"];
  const ran = await list(sick, way);
  expect(ran).toEqual({ status: 0, stdout: "STATUS     CODE\nUNHEALTHY  sleeper\n", stderr: "" });
  const both = [...sick, "--status", "HEALTHY,UNHEALTHY", "--columns", "code", "--no-headers"];
  expect((await list(both, way)).stdout).toBe("sleeper\nlog-collector\n");
  expect((await list([...both, "--sort", "code"], way)).stdout).toBe("log-collector\nsleeper\n");
  expect((await list([...sick, "--status", "OFFLINE"], way)).stderr).toBe("Nothing matches.\n");
});

test("programs get all fields, and a view can leave out columns and times", async () => {
  const csv = (await list(["services", "list", "--view", "sick", "-o", "csv"])).stdout;
  expect(csv).toMatch(/^id,code,.*\r\nsvc_\w+,sleeper,/);
  const backwards = await list(["agents", "list", "--view", "backwards", "-o", "name"]);
  expect(backwards.stdout).toBe("edge-2\nedge-1\n");
  const today = await list(["commands", "list", "--view", "started today", "--columns", "service"]);
  expect(today.stdout).toBe("SERVICE\nsleeper\n");
  const denials = await list(["audit", "list", "--view", "denials"]);
  expect(denials).toMatchObject({ status: 0, stderr: "Nothing matches.\n" });
  const all = await list(["audit", "list", "--view", "denials", "--result", "SUCCESS"]);
  expect(all.stdout).toMatch(/^AT +ACTION\n/);
});

test.each([
  {
    words: "services list --view sik",
    status: 3,
    says: "there is no saved view sik. Did you mean sick? `views list --list services` shows",
  },
  {
    words: "agents list --view sick",
    status: 2,
    says: "the view sick is for services, not for agents; use `services list --view sick`.",
  },
  {
    words: "services list --view denials",
    status: 2,
    says: "the view denials is for audit-events, not for services; use `audit list --view denials`.",
  },
])("$words is refused", async ({ words, status, says }) => {
  expect(await list(words.split(" "))).toMatchObject(failing(status, says));
});

test.each([
  {
    words: "services --set health=DOWN --set agent=edge-1 --set search=log --set sort=-reported",
    query: { healthStatus: "DOWN", agentId: "edge-1", q: "log", sort: "-lastReportedAt" },
  },
  {
    words: "services --set healthStatus=DOWN --set selector=env=prod --set sort=-lastReportedAt",
    query: { healthStatus: "DOWN", selector: "env=prod", sort: "-lastReportedAt" },
  },
  { words: "agents --set columns=code,why", query: { columns: "code,why" } },
  { words: "audit-events --set actor=usr_1", query: { actorId: "usr_1" } },
])("a view is saved with $words", async ({ words, query }) => {
  const name = `saved with ${words}`;
  const create = ["views", "create", name, "--shared", "-o", "json", "--list", ...words.split(" ")];
  const made = JSON.parse((await list(create)).stdout);
  expect(made).toEqual(expect.objectContaining({ query, shared: true }));
});

test("`views update` removes the parameters that --unset names", async () => {
  const create = "views create old --list services --set health=DOWN --set sort=code";
  expect(await list([...create.split(" "), "--shared"])).toMatchObject({ status: 0 });
  const update = "views update old --unset health -o json".split(" ");
  expect(JSON.parse((await list(update)).stdout).query).toEqual({ sort: "code" });
});

test.each([
  [
    "services --set helth=DOWN",
    /services have no parameter helth\. Did you mean health\? A view can set action, agent, columns, health, search, selector, sort, status\.\n$/,
  ],
  ["services --set sort=oldest", /--sort oldest: choose one of code, /],
])("no view is saved with %s", async (words, says) => {
  const create = ["views", "create", "x", "--shared", "--list", ...words.split(" ")];
  expect(await list(create)).toMatchObject(failing(2, says));
});

test("an own view takes precedence over a shared view with the same name", async () => {
  const view = (id: string, isShared: boolean) => ({
    ...{ id: `vew_${id}`, name: "dbs", noun: "services", shared: isShared },
    query: { q: isShared ? "theirs" : "mine" },
  });
  const viewed = (name: string) => {
    const data = [view("01A1", true), view("01A2", false)];
    const page = async () => ({ data, pagination: { page: 1, pageSize: 200, total: 2 } });
    const given = { options: { view: name } } as unknown as Parameters<typeof withView>[0];
    return withView(given, { page } as unknown as Client, "services", { columns: [] }, {});
  };
  expect((await viewed("dbs")).query).toEqual({ q: "mine" });
});

test("views with the same name are listed with whom they are for", () => {
  const rows = [true, false].map((shared) => ({
    id: "vew_1",
    name: "dbs",
    noun: "services",
    shared,
  }));
  const { message } = ambiguous(nouns["saved-views"], "dbs", rows);
  expect(message).toContain("dbs, services, for everyone\n  vew_1  dbs, services, for you");
});
