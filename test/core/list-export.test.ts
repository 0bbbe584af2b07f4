// Every list can be exported as CSV, with the filters, the order and the access of the list.

import { parse } from "csv-parse/sync";
import { describe, expect } from "vitest";
import { exportNameOf } from "../../src/api/contract/export-names.ts";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import { systemContext } from "../../src/core/context.ts";
import { exportHandler } from "../../src/core/list-export.ts";
import { csvColumnsOf, routeFacts } from "../../src/domain/route-facts.ts";
import { csvCell } from "../../src/lib/csv.ts";
import { openTestApp, type TestApp } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";
import { generateLists } from "../store/generated-lists.ts";
import { withKey } from "./access/people.ts";
import { interceptReads } from "./intercepted-reads.ts";
import { leavingCaller } from "./leaving-caller.ts";
import { collector, openScene, type Scene, sceneIn, test } from "./scene.ts";

const specs: Record<string, RouteSpec> = routes;
const lists = Object.keys(routeFacts).filter((name) => routeFacts[name]?.columns);
const derived = lists.filter((list) => list !== "audit-events.list");

type Filter = Record<string, string>;
type Record_ = Record<string, string>;

async function chunksOf(app: TestApp, list: string, query: Filter = {}, params?: object) {
  const name = exportNameOf(list) as "agents.export";
  const { chunks } = await app.as("owner").download(name, { query, params } as object);
  return chunks;
}

async function exported(app: TestApp, list: string, query?: Filter, params?: object) {
  let text = "";
  for await (const chunk of await chunksOf(app, list, query, params)) {
    text += Buffer.from(chunk).toString();
  }
  return text;
}

async function rowsOf(app: TestApp, list: string, query?: Filter, params?: object) {
  const text = await exported(app, list, query, params);
  return parse(text, { columns: true }) as Record_[];
}

describe("the table of routes", () => {
  test("each list has an export with its path, access and filters", () => {
    const paginated = Object.keys(specs).filter((name) => specs[name]?.paginated);
    expect(paginated.toSorted()).toEqual(lists.toSorted());
    for (const list of derived) {
      const { path, access, bus, query, params } = specs[list] as RouteSpec;
      const spec = specs[exportNameOf(list)];
      expect(spec, list).toMatchObject({
        method: "GET",
        path: `${path}/export`,
        access,
        produces: ["text/csv"],
        exportOf: list,
      });
      expect(spec?.bus).toBe(bus);
      expect(spec?.params).toBe(params);
      const filters = Object.keys(query?.shape ?? {});
      expect(Object.keys(spec?.query?.shape ?? {})).toEqual(
        filters.filter((name) => !["page", "pageSize", "before"].includes(name)),
      );
    }
    expect(specs["audit-events.export"]).toMatchObject({ access: "viewer" });
  });
});

/** A scene with at least one row for each list that an SQLite server can fill. */
const full = perFile(async () => {
  const scene = await sceneIn(await listenTestApp({ CAPSULE_BUS_ENABLED: "true" }));
  const owner = scene.as("owner");
  const target = { kind: "action", service: collector.code, action: "rotate" } as const;
  const match = { type: "a.b" };
  const body = { name: "=1+1", match, target: { serviceCode: collector.code, action: "rotate" } };
  await owner.call("bus-routes.create", { body });
  await owner.call("bus-events.publish", { body: { type: "a.b", source: collector.code } });
  const { id: scheduleId } = await owner.call("schedules.create", {
    body: { name: 'a "quoted", name', description: "two\nlines", everySeconds: 3600, target },
  });
  const operator = await withKey(scene, await scene.apiKey("operator"));
  await operator.call("schedules.run", { params: { scheduleId }, body: {} });
  await owner.call("approval-policies.create", {
    body: { name: "deletions", action: "delete", approvers: { role: "owner" } },
  });
  const { id: rolloutId } = await owner.call("rollouts.create", {
    body: { action: "form", services: [collector.code] },
  });
  await owner.call("saved-views.create", { body: { name: "mine", noun: "agents", shared: true } });
  await owner.call("users.create", {
    body: { username: "vera", password: "only looks at it", role: "viewer" },
  });
  await scene.apiKey();
  return { ...scene, ids: { scheduleId, rolloutId } };
});

function paramsOf(list: string): Filter | undefined {
  const names = Object.keys(specs[list]?.params?.shape ?? {});
  const { ids } = full();
  return names.length === 0
    ? undefined
    : Object.fromEntries(names.map((name) => [name, ids[name as keyof typeof ids]]));
}

test.each(derived)(
  "the export of %s has the cells of the list's rows, in the same order",
  async (list) => {
    const columns = csvColumnsOf(list);
    const canBeEmpty = ["approvals.list", "nodes.list"].includes(list);

    const app = full();
    const params = paramsOf(list);
    const { data } = await app
      .as("owner")
      .page(list as "agents.list", { query: { pageSize: 200 }, params } as object);
    if (!canBeEmpty) expect(data).not.toEqual([]);
    const text = await exported(app, list, {}, params);
    expect(text.split("\r\n")[0]).toBe(columns.join(","));
    const formula = /^[=+\-@\t\r\n]/;
    const wanted = data.map((row) =>
      columns.map((column) => {
        const cell = csvCell(row, column) ?? "";
        return typeof cell === "string" && formula.test(cell) ? `'${cell}` : String(cell);
      }),
    );
    expect(parse(text, { fromLine: 2 })).toEqual(wanted);
    // Each field of the list has a column.
    const fields = columns.map((column) => column.split(".")[0]);
    for (const row of data) expect(fields).toEqual(expect.arrayContaining(Object.keys(row)));
  },
);

describe("an export refuses", () => {
  const list = "agents.list";

  test.for<[what: string, query: string, field: string]>([
    ["an unknown filter", "colour=blue", "colour"],
    ["a page", "page=2", "page"],
    ["a sort by an unknown field", "sort=colour", "sort"],
  ])("%s", async ([_, query, field]) => {
    const { status, body } = await get(full(), list, query);
    expect(status).toBe(422);
    expect(body.error.details.issues).toMatchObject([{ path: field }]);
  });
});

function pathOf(list: string): string {
  const params = paramsOf(list) ?? {};
  const { path } = specs[exportNameOf(list)] as RouteSpec;
  return path.replace(/:(\w+)/g, (_, name) => params[name] ?? "");
}

async function get(app: ListeningApp, list: string, query: string) {
  return app.request("GET", `${pathOf(list)}?${query}`, { bearer: await app.apiKey("owner") });
}

describe("over HTTP", () => {
  test("an export is a CSV file, named after its list and the day", async () => {
    const app = full();
    for (const [list, name] of [
      ["services.list", "services"],
      ["rollouts.targets", "rollouts-targets"],
    ] as const) {
      const answer = await fetch(`${app.url}${pathOf(list)}`, {
        headers: { authorization: `Bearer ${await app.apiKey("viewer")}` },
      });
      const day = new Date(app.clock.now()).toISOString().slice(0, 10);
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
      expect(answer.headers.get("content-disposition")).toBe(
        `attachment; filename="${name}-${day}.csv"`,
      );
      expect(await answer.text()).toContain(collector.code);
    }
  });

  test("an error of the first page is an error, and not the content of a file", async () => {
    const app = full();
    const bearer = await app.apiKey("owner");
    const path = "/api/admin/rollouts/rol_none/targets/export";
    const { status, body } = await app.request("GET", path, { bearer });
    expect([status, body.error.code]).toEqual([404, "ROLLOUT_NOT_FOUND"]);
    const viewer = await app.apiKey("viewer");
    const users = await app.request("GET", "/api/admin/users/export", { bearer: viewer });
    expect([users.status, users.body.error.code]).toEqual([403, "FORBIDDEN"]);
    const bad = await get(app, "commands.list", "from=yesterday");
    expect(bad.status).toBe(422);
  });

  test("the bus's lists are not exported while the bus is off", async () => {
    const download = openTestApp().as("owner").download("bus-routes.export");
    await expect(download).rejects.toMatchObject({ code: "CAPSULE_BUS_DISABLED" });
  });
});

async function makeTokens(app: TestApp, count: number, prefix = "t"): Promise<void> {
  const owner = app.as("owner");
  const one = (_: unknown, index: number) =>
    owner.call("registration-tokens.create", { body: { name: `${prefix}${index}` } });
  await Promise.all(Array.from({ length: count }, one));
}

describe("while an export runs", () => {
  test("filters and order apply to all pages", async ({ app }) => {
    await makeTokens(app, 210);
    const query = { sort: "name", status: "ACTIVE" };
    const names = (await rowsOf(app, "registration-tokens.list", query)).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 210 }, (_, index) => `t${index}`).toSorted());
    expect(await rowsOf(app, "registration-tokens.list", { status: "REVOKED" })).toEqual([]);
  });

  /** Calls `meanwhile` after each chunk, and returns the ids in the export. */
  async function idsDuring(app: TestApp, list: string, meanwhile: () => Promise<unknown>) {
    let text = "";
    for await (const chunk of await chunksOf(app, list)) {
      text += Buffer.from(chunk).toString();
      await meanwhile();
    }
    return (parse(text, { columns: true }) as Record_[]).map(({ id }) => id);
  }

  test("rows that are added to a list with pages neither repeat nor displace others", async ({
    app,
  }) => {
    await makeTokens(app, 210);
    const before = (await rowsOf(app, "registration-tokens.list")).map(({ id }) => id);
    const added = () => makeTokens(app, 12, "new");
    expect(await idsDuring(app, "registration-tokens.list", added)).toEqual(before);
  });

  test("rows that are removed do not hide others", async ({ app }) => {
    await makeTokens(app, 210);
    const before = (await rowsOf(app, "registration-tokens.list")).map(({ id }) => id as string);
    let removed = 0;
    const found = await idsDuring(app, "registration-tokens.list", async () => {
      const params = { tokenId: before[removed++] as string };
      await app.as("owner").call("registration-tokens.revoke", { params });
      await app.as("owner").call("registration-tokens.delete", { params });
    });
    expect(removed).toBeGreaterThan(3);
    expect(found).toEqual(before);
  });

  test("a row that is removed while another is added does not hide others", async ({ app }) => {
    await makeTokens(app, 210);
    const query = { sort: "name" };
    const before = (await rowsOf(app, "registration-tokens.list", query)).map(({ id }) => id);
    const [gone = "", ...others] = before as string[];
    let text = "";
    for await (const chunk of await chunksOf(app, "registration-tokens.list", query)) {
      if (text === "") {
        const params = { tokenId: gone };
        await app.as("owner").call("registration-tokens.revoke", { params });
        await app.as("owner").call("registration-tokens.delete", { params });
        await makeTokens(app, 1, "z");
      }
      text += Buffer.from(chunk).toString();
    }
    const found = (parse(text, { columns: true }) as Record_[]).map(({ id }) => id);
    expect(found).toEqual([gone, ...others, expect.any(String)]);
  });

  test("rows that are added to a long list are not in the export", async ({ scene }) => {
    await scene.executeMany(210);
    const before = (await rowsOf(scene, "commands.list")).map(({ id }) => id);
    expect(before).toHaveLength(210);
    const added = () => scene.executeMany(12);
    expect(await idsDuring(scene, "commands.list", added)).toEqual(before);
  });

  test("a search that stops early continues until the end", async ({ app }) => {
    // A call looks at 2,500 of the commands, and all that match are among the oldest 60.
    await generateLists(app, { auditEvents: 1, commands: 6000, busEvents: 1 });
    const query = { status: "CANCELLED", action: "rare", type: "ACTION_EXECUTE,ACTION_PREPARE" };
    const ids = (await rowsOf(app, "commands.list", query)).map(({ id }) => Number(id?.slice(4)));
    expect(ids).toEqual([56, 49, 42, 35, 28, 21, 14, 7]);
  });
});

/** Counts the reads of pages, and records the size of the largest page. */
function watchPages(app: TestApp) {
  const seen = { pages: 0, largest: 0 };
  interceptReads(app, ({ all }) => ({
    async all<Row>(sql: string, ...params: never[]) {
      const rows = await all<Row>(sql, ...params);
      if (/FROM (commands|registration_tokens) WHERE id IN/.test(sql)) seen.pages++;
      seen.largest = Math.max(seen.largest, rows.length);
      return rows;
    },
  }));
  return seen;
}

describe.each<[string, (scene: Scene) => Promise<unknown>]>([
  [
    "commands.list",
    (scene) => generateLists(scene, { auditEvents: 1, commands: 1000, busEvents: 1 }),
  ],
  ["registration-tokens.list", (scene) => makeTokens(scene, 500)],
])("the pages of %s", (list, fill) => {
  const filled = perFile(async () => {
    const scene = await openScene();
    await fill(scene);
    return scene;
  });

  test("are read when the reader needs them, and are small", async () => {
    const seen = watchPages(filled());
    const iterator = (await chunksOf(filled(), list))[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    expect(seen.pages).toBeLessThanOrEqual(2);
    for (let next = await iterator.next(); !next.done; ) next = await iterator.next();
    expect(seen.pages).toBeGreaterThanOrEqual(3);
    expect(seen.largest).toBeLessThanOrEqual(201);
  });

  test("are not read after the reader has left", async () => {
    const seen = watchPages(filled());
    for await (const _ of await chunksOf(filled(), list)) break;
    const read = seen.pages;
    expect(read).toBeLessThanOrEqual(2);
  });
});

test("no page is read after a caller has left, even if the stream is not closed", async ({
  app,
}) => {
  const { caller, leave } = leavingCaller();
  let reads = 0;
  const endless = exportHandler("nodes.list", () => {
    reads++;
    return { items: [{ id: `nod_${reads}` }], total: Number.MAX_SAFE_INTEGER };
  });
  const ctx = { ...systemContext(app.app.core), caller };
  const { chunks } = await endless(ctx, { params: undefined, query: {} });
  for await (const _ of chunks) if (reads === 5) leave();
  expect(reads).toBe(5);
});
