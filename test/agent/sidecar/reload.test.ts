import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { frontOf, refusal } from "../../helpers/http/front.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { commandOf, ended, execute, until } from "../harness.ts";
import { serveEvents, someEvents } from "./events-service.ts";
import { atOnce, stuckPort, watchedEnv } from "./services.ts";
import { plain, startSidecar } from "./start-sidecar.ts";

const nothing = {
  added: [],
  removed: [],
  changed: [],
  applied: [],
  needsRestart: [],
  needsRegistration: [],
};

function isHealthy(server: ListeningApp, code: string, status: string, name = code) {
  return until(async () => {
    const { data } = await server.as("operator").page("services.list", { query: { q: code } });
    const found = data.find((service) => service.code === code);
    return found?.name === name && found.healthStatus === status;
  }, `${code} to be ${status}`);
}

test("services are added, removed and replaced, and the others continue unchanged", async () => {
  const server = await listenTestApp();
  const file = (name: string) => ({
    health: { exec: { command: ["test", "-e", name] }, timeout: 600 },
  });
  const { events, reload, folder } = await startSidecar(server, {
    services: [plain("stays", file("x")), plain("goes", file("x")), plain("differs", file("x"))],
  });
  await isHealthy(server, "differs", "DOWN");
  writeFileSync(join(folder, "y"), "");
  const next = [
    plain("stays", file("x")),
    plain("differs", { ...file("y"), name: "Another" }),
    plain("comes", file("y")),
  ];
  const change = { ...nothing, added: ["comes"], removed: ["goes"], changed: ["differs"] };
  const from = events.length;
  expect(await reload({ services: next })).toEqual(change);
  await isHealthy(server, "comes", "UP");
  await isHealthy(server, "differs", "UP", "Another");
  // New and changed services were probed before they were reported. The unchanged service was not
  // restarted.
  const told = events.slice(from).filter(({ type }) => type === "service.health");
  expect(told.map((event) => "serviceCode" in event && event.serviceCode).sort()).toEqual([
    "comes",
    "differs",
  ]);
  const { data } = await server.as("operator").page("audit-events.list", {
    query: { action: "service.health.changed" },
  });
  expect(JSON.stringify(data)).not.toContain('"UNKNOWN"');
  expect(await reload({ services: next })).toEqual(nothing);
  await reload({ services: next.slice(0, 1) });
  const reported = () =>
    events.flatMap((event) => (event.type === "reported" ? event.services : []));
  await until(() => reported().at(-1) === 1, "a report of one service");
  const listed = await server.as("operator").call("services.list", { query: { sort: "code" } });
  expect(listed.map(({ code, removedAt }) => [code, removedAt !== null])).toEqual([
    ["comes", true],
    ["differs", true],
    ["goes", true],
    ["stays", false],
  ]);
});

test("a running action finishes unchanged, and the next execution uses the new configuration", async () => {
  const server = await listenTestApp();
  const withAction = (script: string) => [
    plain("collector", {
      actions: [{ name: "work", execute: { exec: { command: ["sh", "-c", script] } } }],
    }),
  ];
  const { folder, reload } = await startSidecar(server, {
    services: withAction("touch began; while ! test -e go; do sleep 0.02; done; echo old"),
  });
  const first = await execute(server);
  await until(() => existsSync(join(folder, "began")), "the start of the program");
  await reload({ services: withAction("echo new") });
  const second = await execute(server);
  // Commands of one service run in order, even across a reload.
  expect((await commandOf(server, first)).status).toBe("RUNNING");
  writeFileSync(join(folder, "go"), "");
  expect(await ended(server, first)).toMatchObject({
    status: "SUCCEEDED",
    result: { output: "old" },
  });
  expect(await ended(server, second)).toMatchObject({
    status: "SUCCEEDED",
    result: { output: "new" },
  });
});

test("a service is probed at the end of its action, even if a reload has replaced it", async () => {
  const server = await listenTestApp();
  const script = "touch began; while ! test -e go; do sleep 0.02; done; rm up";
  const named = (name: string) => [
    plain("collector", {
      name,
      health: { exec: { command: ["test", "-e", "up"] }, interval: 600, failureThreshold: 1 },
      actions: [{ name: "work", execute: { exec: { command: ["sh", "-c", script] } } }],
    }),
  ];
  const { folder, reload } = await startSidecar(server, { services: named("Old") });
  writeFileSync(join(folder, "up"), "");
  await reload({ services: named("New") });
  await isHealthy(server, "collector", "UP", "New");
  const running = await execute(server);
  await until(() => existsSync(join(folder, "began")), "the start of the program");
  await reload({ services: named("Newest") });
  await isHealthy(server, "collector", "UP", "Newest");
  writeFileSync(join(folder, "go"), "");
  expect(await ended(server, running)).toMatchObject({ status: "SUCCEEDED" });
  await isHealthy(server, "collector", "DOWN", "Newest");
});

test("an action that ends during the first probe of a reload makes that probe void", async () => {
  const server = await listenTestApp();
  const waitFor = (file: string) => `while ! test -e ${file}; do sleep 0.02; done`;
  const sh = (script: string) => ({ exec: { command: ["sh", "-c", script] } });
  const named = (name: string, probe: string) => [
    plain("collector", {
      name,
      health: { ...sh(probe), interval: 600, timeout: 600, failureThreshold: 1 },
      actions: [{ name: "work", execute: sh(`touch began; ${waitFor("go")}; rm up`) }],
    }),
  ];
  const { folder, reload } = await startSidecar(server, { services: named("Old", "true") });
  writeFileSync(join(folder, "up"), "");
  const running = await execute(server);
  await until(() => existsSync(join(folder, "began")), "the start of the program");
  const probe = `test -e up; found=$?; touch probing; ${waitFor("finish")}; exit $found`;
  const reloaded = reload({ services: named("New", probe) });
  await until(() => existsSync(join(folder, "probing")), "the first probe");
  writeFileSync(join(folder, "go"), "");
  expect(await ended(server, running)).toMatchObject({ status: "SUCCEEDED" });
  writeFileSync(join(folder, "finish"), "");
  await reloaded;
  await isHealthy(server, "collector", "DOWN", "New");
});

test("changed labels are sent immediately, but fields that need a restart or registration are not", async () => {
  const server = await listenTestApp();
  const services = [plain("web")];
  const { reload } = await startSidecar(server, { services, agent: { labels: { site: "a" } } });
  const agent = { labels: { site: "b" }, version: "2", code: "edge-2", mode: "other" };
  const next = { services, agent, server: "http://127.0.0.1:9", concurrency: 8, stopGrace: 1 };
  expect(await reload(next)).toEqual({
    ...nothing,
    applied: ["stopGrace", "agent.version", "agent.labels"],
    needsRestart: ["server", "concurrency", "agent.code"],
    needsRegistration: ["agent.mode"],
  });
  const found = await until(async () => {
    const { data } = await server.as("operator").page("agents.list");
    return data.find(({ version }) => version === "2");
  }, "the new version");
  expect(found).toMatchObject({ code: "edge-1", mode: "sidecar", labels: { site: "b" } });
  // The server keeps a name that the agent no longer sends.
  expect(await reload({ ...next, agent: { ...agent, name: "Edge" } })).toMatchObject({
    applied: ["agent.name"],
  });
  expect(await reload(next)).toMatchObject({
    applied: [],
    needsRegistration: ["agent.mode", "agent.name"],
  });
  // A field is listed as long as its value in the file differs from that at the start.
  expect(await reload({ ...next, concurrency: 4 })).toMatchObject({
    applied: [],
    needsRestart: ["server", "concurrency", "agent.code"],
  });
  expect(await reload({ services, agent: { labels: { site: "b" } } })).toMatchObject({
    needsRestart: [],
    needsRegistration: [],
  });
});

test("a removed name is gone at the next registration", async () => {
  const server = await listenTestApp();
  const services = [plain("web")];
  const { sidecar, reload } = await startSidecar(server, { services, agent: { name: "Edge" } });
  expect(await reload({ services, agent: { mode: "other" } })).toMatchObject({
    needsRegistration: ["agent.mode", "agent.name"],
  });
  const params = { agentId: sidecar.agentId ?? "" };
  await server.as("operator").call("agents.revoke-token", { params });
  const shown = await until(async () => {
    const { data } = await server.as("operator").page("agents.list");
    return data.find(({ mode }) => mode === "other");
  }, "the new mode");
  expect(shown.name).toBeNull();
});

test("the maximum number of labels is accepted, and a new mode is sent at the next registration", async () => {
  const server = await listenTestApp();
  const services = [plain("web")];
  const { sidecar, reload } = await startSidecar(server, { services });
  const labels = Object.fromEntries(
    Array.from({ length: 64 }, (_, n) => [`${n}`.padEnd(100, "界"), "界".repeat(200)]),
  );
  const agent = { labels, mode: "other" };
  expect(await reload({ services, agent })).toMatchObject({
    applied: ["agent.labels"],
    needsRegistration: ["agent.mode"],
  });
  const shown = async () => (await server.as("operator").page("agents.list")).data[0];
  await until(async () => Object.keys((await shown())?.labels ?? {}).length === 64, "the labels");
  expect(await shown()).toMatchObject({ mode: "sidecar", labels });
  const params = { agentId: sidecar.agentId ?? "" };
  await server.as("operator").call("agents.revoke-token", { params });
  await until(async () => (await shown())?.mode === "other", "the new mode");
});

test("a stop does not wait for events that the service still has", async () => {
  const server = await listenTestApp({ CAPSULE_BUS_ENABLED: "true" });
  const limited = [429, refusal("BUS_RATE_LIMITED")] as const;
  const front = await frontOf(server, /\/bus\/events$/, limited, { retryAfter: 60 });
  const service = await serveEvents();
  service.events = someEvents(1);
  const services = [plain("shop", { bus: { url: service.url } })];
  const { sidecar, events } = await startSidecar({ ...server, url: front.url }, { services });
  await until(() => events.some(({ type }) => type === "publish.retry"), "the refusal");
  onTestFinished(() => void vi.useRealTimers());
  // The agent's limit for the wait never passes.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await sidecar.stop();
});

test("labels that the server would refuse and an unreadable caFile change nothing", async () => {
  const server = await listenTestApp();
  const { reload, events } = await startSidecar(server, { services: [plain("web")] });
  // JSON writes six characters for each of these.
  const long = "\u0001".repeat(200);
  const labels = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`label${n}`, long]));
  const invalid = expect.objectContaining({ code: "OPTIONS_INVALID" });
  const services = [plain("other")];
  await expect(reload({ services, agent: { labels } })).rejects.toEqual(invalid);
  await expect(reload({ services, caFile: "nowhere.pem" })).rejects.toEqual(invalid);
  expect(await reload({ services: [plain("web")] })).toEqual(nothing);
  const reports = events.flatMap((event) => (event.type === "reported" ? event.services : []));
  expect(new Set(reports)).toEqual(new Set([1]));
});

test("the events of a changed service are read by one reader at a time", async () => {
  const server = await listenTestApp();
  let open = 0;
  let most = 0;
  const reads: string[] = [];
  const url = await serveHttp((request, response) => {
    reads.push(request.url ?? "");
    most = Math.max(most, ++open);
    request.on("close", () => open--);
    response.end(JSON.stringify({ events: [], cursor: null }));
  });
  const withBus = (name: string, interval: number) => [
    plain("web", { name, bus: { url: `${url}/${name}`, interval } }),
  ];
  const { reload } = await startSidecar(server, { services: withBus("old", 0.02) });
  await until(() => reads.length > 1, "two reads");
  await reload({ services: withBus("new", 0.02) });
  const from = reads.length;
  await until(() => reads.length > from + 2, "more reads");
  expect(reads.slice(from).every((read) => read.startsWith("/new"))).toBe(true);
  expect(most).toBe(1);
});

test("a stop does not wait for a service that a reload is checking", async () => {
  const server = await listenTestApp();
  const { sidecar, reload, folder } = await startSidecar(server, { services: [plain("web")] });
  const exec = { command: ["sh", "-c", "touch asked; exec sleep 600"] };
  const reloaded = reload({ services: [plain("slow", { health: { exec, timeout: 600 } })] });
  await until(() => existsSync(join(folder, "asked")), "the probe");
  await atOnce(sidecar.stop());
  await reloaded;
  await expect(reload({ services: [plain("web")] })).rejects.toThrow("the agent is stopping");
});

test("a stop waits for no service, and no command is accepted after it began", async () => {
  const server = await listenTestApp();
  const { env, isRead } = watchedEnv("KEY");
  const url = `http://127.0.0.1:${await stuckPort()}/`;
  const bus = { url, headers: { key: { env: "KEY" } }, timeout: 600 };
  const actions = [{ name: "work", execute: { exec: { command: ["/usr/bin/touch", "ran"] } } }];
  const services = [plain("collector", { bus, actions })];
  const { sidecar, folder } = await startSidecar(server, { services }, env);
  await isRead;
  const stopped = sidecar.stop();
  // The agent may already be offline, and the server then accepts only a queued command.
  await execute(server, {}, "collector", true);
  await atOnce(stopped);
  expect(existsSync(join(folder, "ran"))).toBe(false);
});
