import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/http/connections/listen.ts";
import { createHttpServer } from "../../src/http/server.ts";
import { openTestApp } from "../helpers/app.ts";

test("a request waits until the service is open", async () => {
  const { opening, ask, isAsked } = await listening();
  let isOpen = false;
  const asking = ask().then((answer) => ({ status: answer.status, isOpen }));
  await isAsked;
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  isOpen = true;
  opening.resolve();
  expect(await asking).toEqual({ status: 200, isOpen: true });
  expect((await ask()).status).toBe(200);
});

test("if it cannot open, waiting requests get 503, and the listener stops immediately", async () => {
  const { opening, ask, isAsked, close } = await listening();
  const asking = ask();
  await isAsked;
  opening.reject(new Error("the disk is full"));
  const ended = close();
  const answer = await asking;
  const body = await answer.text();
  expect([answer.status, JSON.parse(body).error.code]).toEqual([503, "UNAVAILABLE"]);
  expect(body).not.toContain("disk");
  await ended;
});

async function listening() {
  const opening = Promise.withResolvers<void>();
  const { app } = openTestApp();
  const { server, close } = createHttpServer({ ...app.httpOptions, opening: opening.promise });
  const isAsked = new Promise<void>((resolve) => server.once("request", () => resolve()));
  const url = await listen(server, "127.0.0.1", 0);
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return { opening, isAsked, close, ask: () => fetch(`${url}/api/system/health`) };
}
