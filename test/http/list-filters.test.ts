// bad-input.test.ts tests other invalid queries.

import { describe, expect, test } from "vitest";
import { sceneIn } from "../core/scene.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";

const labels = {
  a: { site: "x", tier: "1" },
  b: { site: "x", tier: "2" },
  c: { site: "y", tier: "1", note: "p,q" },
};

async function openFleet() {
  const app = await listenTestApp();
  const key = await app.apiKey("owner");
  for (const [code, own] of Object.entries(labels)) {
    const { token } = await app.as("owner").call("registration-tokens.create", { body: {} });
    await app.asPrincipal({ kind: "anonymous" }).call("agent.register", {
      body: {
        registrationToken: token,
        agent: { code, mode: "sidecar", labels: own },
        services: [
          {
            ...{ code: `${code}-svc`, name: code, version: "1", actions: [{ name: "go" }] },
            healthStatus: { a: "UP", b: "DOWN", c: undefined }[code],
          },
        ],
      },
    });
  }
  const { data } = await app.as("owner").page("agents.list", { query: { q: "c" } });
  await app.as("owner").call("agents.disable", { params: { agentId: data[0]!.id } });
  return { ...app, key };
}

/** Tests that change nothing share this app. */
const shared = perFile(openFleet);

async function listed(app: ListeningApp & { key: string }, path: string): Promise<string[]> {
  const answer = await app.request("GET", `/api/admin/${path}`, { bearer: app.key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.map((row: { code?: string; status: string }) => row.code ?? row.status);
}

describe("several values combine", () => {
  test.each<[query: string, codes: string[]]>([
    ["label=site:x", ["b", "a"]],
    ["label=site:x&label=tier:1", ["a"]],
    ["label=site:x,tier:1", ["a"]],
    ["label=site:x&label=site:y", []],
    ["label=note:p,q", ["c"]],
    ["label=note:p,q,tier:1&label=site:y", ["c"]],
    ["status=ONLINE", ["b", "a"]],
    ["status=ONLINE&status=DISABLED", ["c", "b", "a"]],
    ["status=OFFLINE,DISABLED", ["c"]],
    ["status=ONLINE,ONLINE&label=tier:1", ["a"]],
  ])("agents?%s", async (query, codes) => {
    expect(await listed(shared(), `agents?${query}`)).toEqual(codes);
  });

  test("services, users, API keys and registration tokens are filtered by current status", async () => {
    const app = await openFleet();
    const owner = app.as("owner");
    const services = await listed(app, "capsule-services?status=OFFLINE,HEALTHY");
    expect(services).toEqual(["c-svc", "a-svc"]);
    for (const username of ["vera", "olga"]) {
      const body = { username, password: "only looks at it", role: "viewer" } as const;
      const { id } = await owner.call("users.create", { body });
      const params = { userId: id };
      if (username === "olga")
        await owner.call("users.update", { params, body: { status: "DISABLED" } });
    }
    const users = (query: string) => listed(app, `users?${query}`);
    expect(await users("status=ACTIVE,DISABLED")).toEqual(["DISABLED", "ACTIVE"]);
    expect(await users("status=DISABLED")).toEqual(["DISABLED"]);
    const create = (expiresInSeconds: number) =>
      owner.call("api-keys.create", { body: { name: "k", role: "viewer", expiresInSeconds } });
    const [{ id: keyId }] = await Promise.all([create(7200), create(60)]);
    await owner.call("api-keys.revoke", { params: { keyId } });
    await owner.call("registration-tokens.create", { body: { expiresInSeconds: 60 } });
    app.clock.advance(120_000);
    expect(await listed(app, "registration-tokens?status=ACTIVE,EXPIRED")).toEqual(["EXPIRED"]);
    const keys = async (query: string) => (await listed(app, `api-keys?${query}`)).toSorted();
    expect(await keys("status=EXPIRED&status=REVOKED")).toEqual(["EXPIRED", "REVOKED"]);
    expect(await keys("status=ACTIVE,EXPIRED,REVOKED")).toHaveLength(3);
    expect(await keys("status=ACTIVE")).toEqual(["ACTIVE"]);
  });
});

test.each([
  ["agents", "label", "site:x", "tier:1"],
  ["commands", "status", "FAILED", "PENDING"],
])("%s?%s=… with repeated values runs the same queries", async (path, filter, one, other) => {
  const app = await openFleet();
  const { read } = app.database;
  const queries = new Set<string>();
  for (const name of ["get", "all"] as const) {
    const { [name]: run } = read;
    read[name] = ((sql: string, ...params: []) => {
      queries.add(sql);
      return run.call(read, sql, ...params);
    }) as typeof read.get & typeof read.all;
  }
  await listed(app, `${path}?${filter}=${one},${other}`);
  const before = [...queries];
  // The list has as many values as fit into the request line.
  const often = (times: number) => `${path}?${filter}=${`${one},`.repeat(times)}${other}`;
  for (const times of [2, 50, Math.floor(7000 / `&${filter}=${one}`.length)]) {
    await listed(app, often(times));
    await listed(app, often(times).replaceAll(",", `&${filter}=`));
  }
  expect([...queries]).toEqual(before);
});

test("prepares are only listed if the filter names their type", async () => {
  const app = await sceneIn(await listenTestApp());
  const bearer = await app.apiKey();
  await app.prepare({ success: true });
  await app.execute();
  await app.cancel(await app.execute());
  const types = async (query: string) => {
    const { body } = await app.request("GET", `/api/admin/commands${query}`, { bearer });
    expect(body.pagination.total).toBe(body.data.length);
    return body.data.map(({ type }: { type: string }) => type).toSorted();
  };
  const run = "ACTION_EXECUTE";
  const prepare = "ACTION_PREPARE";
  expect(await types("")).toEqual([run, run]);
  expect(await types("?status=PENDING,SUCCEEDED")).toEqual([run]);
  expect(await types("?status=CANCELLED&status=PENDING")).toEqual([run, run]);
  expect(await types(`?type=${prepare}`)).toEqual([prepare]);
  expect(await types(`?type=${prepare},${run}`)).toEqual([run, run, prepare]);
  expect(await types(`?type=${prepare}&type=${run}&status=CANCELLED`)).toEqual([run]);
});
