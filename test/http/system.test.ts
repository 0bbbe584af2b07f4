// What anybody may ask over HTTP: health in its three states, the version, the API's own description.

import { describe, expect, onTestFinished, test } from "vitest";
import { buildOpenApi } from "../../src/api/openapi.ts";
import { createApp } from "../../src/app.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { openTestApp, startOfTime, type TestApp, testWorld } from "../helpers/app.ts";
import { checkAnswer } from "../helpers/contract.ts";
import { listenTestApp } from "../helpers/http.ts";
import { errorsLogged, listenInSight } from "./raw.ts";

const healthPath = "/api/system/health";

/** The same database, read through another reader. */
function withReader(database: Database, read: Reader): Database {
  return {
    engine: database.engine,
    read,
    write: (work) => database.write(work),
    onForeignChange: (listener) => database.onForeignChange(listener),
    checkForeignChange: () => database.checkForeignChange(),
    storage: () => database.storage(),
    isStorageDoubtful: () => database.isStorageDoubtful(),
    queueDepth: () => database.queueDepth(),
    stats: () => database.stats(),
    tidy: () => database.tidy(),
    close: () => database.close(),
  };
}

/** An app whose every read takes this long on its clock, or fails. */
function appWithReads(how: { takesMs?: number; error?: Error }): TestApp {
  const test = openTestApp();
  let monotonic = 1000;
  const reading = <T>(read: () => Promise<T>): Promise<T> => {
    monotonic += how.takesMs ?? 0;
    return how.error ? Promise.reject(how.error) : read();
  };
  const { database } = test;
  const slow: Reader = {
    get: (sql, ...params) => reading(() => database.read.get(sql, ...params)),
    all: (sql, ...params) => reading(() => database.read.all(sql, ...params)),
  };
  const app = createApp(
    test.config,
    { ...test, database: withReader(database, slow) },
    {
      ...testWorld,
      now: test.clock.now,
      monotonic: () => monotonic,
    },
  );
  onTestFinished(() => app.close());
  return { ...test, app };
}

describe("health", () => {
  test.each([
    { takesMs: 0, status: "UP" },
    { takesMs: 250, status: "UP" },
    { takesMs: 250.001, status: "DEGRADED" },
    { takesMs: 61_500, status: "DEGRADED" },
  ])("a probe of $takesMs ms is $status", async ({ takesMs, status }) => {
    const { port } = await listenInSight(appWithReads({ takesMs }));
    const answer = await fetch(`http://127.0.0.1:${port}${healthPath}`);
    const body = await answer.json();
    checkAnswer("system.health", answer.status, body);
    expect(answer.status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        status,
        timestamp: new Date(startOfTime).toISOString(),
        version: "0.0.0-dev",
        edition: "ce",
        database: { status, kind: "sqlite", latencyMs: takesMs },
        uptimeSeconds: Math.floor(takesMs / 1000),
      },
    });
  });

  test("a probe that fails is DOWN and 503, logged, and the reason stays here", async () => {
    const error = new Error("disk I/O error at /secret/place");
    const app = appWithReads({ error });
    const errors = errorsLogged(app);
    const { port } = await listenInSight(app);
    const answer = await fetch(`http://127.0.0.1:${port}${healthPath}`);
    const body = await answer.text();
    checkAnswer("system.health", answer.status, JSON.parse(body));
    expect(answer.status).toBe(503);
    expect(JSON.parse(body)).toMatchObject({
      success: true,
      data: { status: "DOWN", database: { status: "DOWN" } },
    });
    expect(body).not.toContain("secret");
    expect(errors).toEqual([{ err: error }]);
  });
});

test.each<{ env: Record<string, string>; data: object }>([
  { env: {}, data: { version: "0.0.0-dev", edition: "ce" } },
  {
    env: { VERSION: "1.2.3", COMMIT: "a1b2c3d", BUILD_TIME: "2026-01-02T03:04:05.678Z" },
    data: {
      version: "1.2.3",
      edition: "ce",
      commit: "a1b2c3d",
      buildTime: "2026-01-02T03:04:05.678Z",
    },
  },
])("version with $env", async ({ env, data }) => {
  const { request } = await listenTestApp(env);
  expect(await request("GET", "/api/system/version")).toMatchObject({ status: 200 });
  expect((await request("GET", "/api/system/version")).body).toEqual({ success: true, data });
  expect((await request("GET", healthPath)).body.data).toMatchObject({
    version: (data as { version: string }).version,
  });
});

test("openapi.json is the document that the table makes, outside the envelope", async () => {
  const { request } = await listenTestApp();
  const { body } = await request("GET", "/api/system/openapi.json");
  expect(body).toEqual(JSON.parse(JSON.stringify(buildOpenApi())));
});

test("none of it needs a credential, and a wrong one does no harm", async () => {
  const { request } = await listenTestApp();
  for (const path of [healthPath, "/api/system/version", "/api/system/openapi.json"]) {
    expect((await request("GET", path)).status).toBe(200);
    expect((await request("GET", path, { bearer: "nonsense" })).status).toBe(200);
  }
});
