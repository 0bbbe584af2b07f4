import { renameSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { buildOpenApi } from "../../src/api/contract/openapi.ts";
import { jobTable } from "../../src/jobs/index.ts";
import { writeLockKey } from "../../src/store/engine/postgresql/writes/write-lock.ts";
import { logged } from "../core/audit/long-trail.ts";
import { openTestApp, startOfTime, type TestApp } from "../helpers/app.ts";
import { checkAnswer } from "../helpers/contract.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { isChosen } from "../helpers/postgres-app.ts";
import { sqliteOnly } from "../helpers/sqlite-only.ts";
import { errorsLogged, listenInSight } from "./raw.ts";

const look = jobTable().find(({ name }) => name === "watch-storage")!.run;
const healthPath = "/api/system/health";

/**
 * Asks for the health while the first read takes `takesMs` on the fake clock, or all reads fail.
 */
async function listenWithReads({ ...how }: { takesMs?: number; error?: Error }) {
  let monotonic = 1000;
  const app = openTestApp({}, { monotonic: () => monotonic });
  const { read } = app.database;
  const get = read.get.bind(read);
  read.get = (...call) => {
    monotonic += how.takesMs ?? 0;
    how.takesMs = 0;
    return how.error ? Promise.reject(how.error) : get(...call);
  };
  const errors = errorsLogged(app);
  const { port } = await listenInSight(app);
  const answer = await fetch(`http://127.0.0.1:${port}${healthPath}`);
  const text = await answer.text();
  checkAnswer("system.health", answer.status, JSON.parse(text));
  return { status: answer.status, text, errors };
}

describe("health", () => {
  test.each([
    { takesMs: 250, status: "UP" },
    { takesMs: 250.001, status: "DEGRADED" },
    { takesMs: 61_500, status: "DEGRADED" },
  ])("a probe that takes $takesMs ms gets $status", async ({ takesMs, status }) => {
    const answer = await listenWithReads({ takesMs });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      success: true,
      data: {
        status,
        timestamp: new Date(startOfTime).toISOString(),
        version: "0.0.0-dev",
        edition: "ce",
        database: { status, kind: isChosen() ? "postgresql" : "sqlite", latencyMs: takesMs },
        uptimeSeconds: Math.floor(takesMs / 1000),
        installationId: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
  });

  test("a probe that fails reports DOWN with 503, and only the log has the reason", async () => {
    const error = new Error("disk I/O error at /secret/place");
    const { status, text, errors } = await listenWithReads({ error });
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      success: true,
      data: { status: "DOWN", database: { status: "DOWN" } },
    });
    expect(text).not.toContain("secret");
    expect(errors).toEqual([{ err: error }]);
  });
});

describe("while the storage fails", () => {
  sqliteOnly("the database file is moved away");
  const readyPath = "/api/system/ready";

  /** Listens with an app whose database file was moved away. */
  async function listenWithoutFile() {
    const app = await listenTestApp();
    const lines: string[] = [];
    for (const level of ["info", "warn", "error"] as const) {
      app.app.core.log[level] = (_fields, message) => void lines.push(message);
    }
    renameSync(app.file, `${app.file}.away`);
    return { ...app, lines, putBack: () => renameSync(`${app.file}.away`, app.file) };
  }

  test("the server is DOWN and not ready, with the reason and without the path", async () => {
    const { request, file, putBack, app, lines, clock } = await listenWithoutFile();
    const health = await request("GET", healthPath);
    expect([health.status, health.body.data.status]).toEqual([503, "DOWN"]);
    expect(health.body.data.database).toMatchObject({ status: "DOWN", reason: "FILE_MISSING" });
    expect(JSON.stringify(health.body)).not.toContain(file);
    const ready = await request("GET", readyPath);
    expect([ready.status, ready.body.data]).toEqual([
      503,
      { ready: false, reason: "FILE_MISSING", message: health.body.data.database.message },
    ]);
    await look(app.core);
    expect(lines).toEqual([expect.stringContaining("the storage is failing: The database file")]);
    putBack();
    await look(app.core);
    expect((await request("GET", healthPath)).body.data.status).toBe("UP");
    expect((await request("GET", readyPath)).body.data).toEqual({ ready: true });
    clock.advance(5000);
    await look(app.core);
    expect(lines.slice(1)).toEqual(["the storage works again"]);
  });

  test("many refused writes log one line, and then one per minute", async () => {
    const { as, app, lines, clock, putBack } = await listenWithoutFile();
    const write = () => as("operator").call("registration-tokens.create", { body: {} });
    const many = await Promise.allSettled(Array.from({ length: 50 }, write));
    expect(many.every(({ status }) => status === "rejected")).toBe(true);
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(60_000);
      await look(app.core);
    }
    putBack();
    expect(lines).toEqual([
      expect.stringContaining("the storage is failing"),
      ...Array(3).fill("the storage is still failing"),
    ]);
  });

  test("reads work without the state in memory", async () => {
    const app = await listenTestApp();
    const { client } = await app.registerAgent();
    renameSync(app.file, `${app.file}.away`);
    await client.call("agent.heartbeat", { body: {} });
    const warnings = logged(app, "warn");
    expect(await app.as("viewer").call("agents.list")).toHaveLength(1);
    expect(warnings).toEqual([]);
    renameSync(`${app.file}.away`, app.file);
  });
});

test("a server that cannot read is not ready", async () => {
  const { request, database } = await listenTestApp();
  database.read.get = () => Promise.reject(new Error("secret"));
  expect(await request("GET", "/api/system/ready")).toMatchObject({
    status: 503,
    body: { data: { ready: false, message: "The database does not respond." } },
  });
});

test("a server that is older than the schema allows is not ready", async () => {
  const { request, database } = await listenTestApp();
  const minimum = (value: string) =>
    database.write((tx) => tx.run(`UPDATE schema_migrations SET minimum_version = ${value}`));
  await minimum("version + 1");
  expect(await request("GET", "/api/system/ready")).toMatchObject({
    status: 503,
    body: { data: { ready: false, reason: "PROGRAM_TOO_OLD" } },
  });
  await minimum("version");
  expect((await request("GET", "/api/system/ready")).status).toBe(200);
});

test("a server that drains or stops is UP, but not ready, and ends long polls only when it stops", async () => {
  const { request, app, registerAgent } = await listenTestApp();
  const { client } = await registerAgent();
  const poll = client.call("agent.poll", { query: { wait: 20 } });
  const ended = vi.fn();
  void poll.then(ended);
  const expectStopping = async () =>
    expect(await request("GET", "/api/system/ready")).toMatchObject({
      status: 503,
      body: { data: { ready: false, reason: "STOPPING" } },
    });
  app.drain();
  await expectStopping();
  await client.call("agent.heartbeat", { body: {} });
  expect(ended).not.toHaveBeenCalled();
  app.beginToStop();
  expect(await poll).toEqual({ commands: [], cancelled: [] });
  await expectStopping();
  expect((await request("GET", healthPath)).status).toBe(200);
});

test("a list waits less time for another process's lock than a write does", async () => {
  const app = openTestApp();
  const { registerAgent, as } = app;
  const { client } = await registerAgent();
  await client.call("agent.heartbeat", { body: {} });
  const letGo = await holdWriteLock(app);
  const listed = as("viewer").call("agents.list");
  const written = as("operator")
    .call("registration-tokens.create", { body: {} })
    .catch((error: { code: string }) => error.code);
  expect(await Promise.race([listed, written])).toHaveLength(1);
  await letGo();
  await written;
});

/** Takes the write lock, as another process would. Returns the function that releases it. */
async function holdWriteLock({ place }: TestApp): Promise<() => Promise<void>> {
  if (place.kind === "file") {
    const other = new BetterSqlite3(place.file);
    other.exec("BEGIN IMMEDIATE");
    return async () => void other.close();
  }
  const other = new pg.Client(place.url);
  await other.connect();
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${writeLockKey})`);
  return () => other.end();
}

test("a release names its version, its commit and the time of its build", async () => {
  const released = { version: "1.2.3", commit: "a1b2c3d", buildTime: "2026-01-02T03:04:05.678Z" };
  const { version: VERSION, commit: COMMIT, buildTime: BUILD_TIME } = released;
  const { request } = await listenTestApp({ VERSION, COMMIT, BUILD_TIME });
  const { body } = await request("GET", "/api/system/version");
  expect(body).toEqual({ success: true, data: { edition: "ce", ...released } });
  const health = await request("GET", healthPath);
  expect(health.body.data.version).toBe(released.version);
});

test("openapi.json is the generated document, without the envelope", async () => {
  const { request } = await listenTestApp();
  const { body } = await request("GET", "/api/system/openapi.json");
  expect(JSON.stringify(body) === JSON.stringify(buildOpenApi())).toBe(true);
});
