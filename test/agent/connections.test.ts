import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { runningClock } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { ca, certificateFiles } from "../helpers/http/https.ts";
import { startProxy } from "../helpers/http/proxy.ts";
import { createToken } from "../helpers/process/operator.ts";
import { startServer } from "../helpers/process/process.ts";
import { isLong } from "../helpers/size.ts";
import {
  commandOf,
  execute,
  fast,
  serviceWith,
  startAgain,
  startAgent,
  startWired,
  until,
} from "./harness.ts";

/** The shortest intervals that shorten polls. */
const timing = { ...fast, heartbeatSeconds: 2, reportSeconds: 2 };

/** Records the requests that a server receives from now on. */
function followed({ server }: ListeningApp) {
  const used = new Set<Socket>();
  const calls: string[] = [];
  server.on("request", ({ url = "", socket }: IncomingMessage) => {
    used.add(socket);
    calls.push(url.replace(/\?.*/, "").replace("/api/agents/", ""));
  });
  const count = (call: string) => calls.filter((each) => each === call).length;
  const again = () => {
    used.clear();
    calls.length = 0;
  };
  return { used, count, again };
}

/**
 * Waits for a round of requests on one connection. On a slow machine, a late poll can overlap
 * another request.
 */
async function usesOneConnection(server: ListeningApp): Promise<void> {
  const { used, count, again } = followed(server);
  await until(async () => {
    if (used.size > 1 || (await open(server)) > 1) again();
    const isRound = ["heartbeat", "services", "commands"].every((call) => count(call) > 0);
    return isRound && used.size === 1;
  }, "polls, reports and heartbeats on one connection");
}

function open({ server }: ListeningApp): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

test("an idle agent polls, reports and sends heartbeats on one connection", async () => {
  const server = await listenTestApp({}, { clock: runningClock() });
  await startAgent(server, serviceWith({}), { timing });
  await usesOneConnection(server);
});

test.runIf(isLong)("an idle agent uses one tunnel of its proxy", async () => {
  const { certFile, keyFile } = certificateFiles("first");
  const tls = { PLATFORM_TLS_CERT_FILE: certFile, PLATFORM_TLS_KEY_FILE: keyFile };
  const server = await startServer({ env: tls });
  const proxy = await startProxy(Number(new URL(server.url).port));
  const registrationToken = await createToken(server);
  const options = { server: server.url, ca, proxy: proxy.url, registrationToken, timing };
  const { events } = await startAgain({ ...options, services: serviceWith({}) });
  const reports = () => events.filter(({ type }) => type === "reported").length;
  await until(() => reports() === 3, "reports");
  // The registration used a connection of its own.
  expect(proxy.asked).toHaveLength(2);
});

test("a second connection carries the result of a command, and closes again", async () => {
  const gate = Promise.withResolvers<string>();
  const server = await listenTestApp({}, { clock: runningClock() });
  const slow = serviceWith({ execute: () => gate.promise });
  const { event } = await startAgent(server, slow, { timing });
  const id = await execute(server);
  await event("command.started");
  const { used, count } = followed(server);
  await until(() => count("heartbeat") === 1, "a heartbeat during the command");
  await until(() => server.app.core.doorbell.size === 1, "the next poll");
  gate.resolve("done");
  const result = async () => (await commandOf(server, id)).result;
  expect(await until(result, "the result")).toMatchObject({ output: "done" });
  expect(used.size).toBeGreaterThan(1);
  await until(async () => (await open(server)) === 1, "the end of the second connection");
});

test("heartbeats continue while a poll does not end", async () => {
  const { server, wire } = await startWired([], { timing });
  await until(() => server.app.core.doorbell.size === 1, "the held poll");
  wire.holdAnswer = (text) =>
    text.includes('"commands"') ? new Promise(() => undefined) : undefined;
  const { count } = followed(server);
  await until(() => count("heartbeat") === 1, "a heartbeat");
  expect(count("commands")).toBe(0);
});
