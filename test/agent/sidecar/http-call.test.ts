import { writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { callHttp } from "../../../src/agent/sidecar/http-call.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { until } from "../harness.ts";
import { atOnce, stuckPort, watchedEnv } from "./services.ts";

const never = new AbortController().signal;
const common = { method: "GET", headers: {}, maxBytes: 1000 };

test("a call sends its method, headers and body, and returns status, headers and text", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "key"), "from a file\n");
  const url = await serveHttp((request, response) => {
    request.setEncoding("utf8").on("data", (body: string) => {
      response.writeHead(418, { "x-kind": "tea" });
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
    });
  });
  const headers = { One: "written", Two: { env: "KEY" }, Three: { file: "key" } };
  const call = { ...common, method: "PUT", url: `${url}/a`, headers, body: '{"a":1}' };
  const answer = await callHttp(call, { folder, env: { KEY: "from env" }, signal: never });
  expect(answer).toMatchObject({ status: 418, headers: { "x-kind": "tea" }, cut: false });
  expect(JSON.parse(answer.text)).toMatchObject({
    method: "PUT",
    headers: {
      one: "written",
      two: "from env",
      three: "from a file",
      "content-type": "application/json",
    },
    body: '{"a":1}',
  });
});

test("an abort ends a call immediately, even before it is connected", async () => {
  const port = await stuckPort();
  const sockets = socketsTo(port);
  for (const scheme of ["http", "https"]) {
    const { env, isRead } = watchedEnv("KEY");
    const ender = new AbortController();
    const headers = { key: { env: "KEY" } };
    const call = { ...common, url: `${scheme}://127.0.0.1:${port}/`, headers };
    const held = callHttp(call, { folder: "/", env, signal: ender.signal });
    await isRead;
    expect(sockets().at(-1)?.connecting).toBe(true);
    ender.abort(new Error("too late"));
    await expect(atOnce(held)).rejects.toThrow("too late");
    // A connection attempt that continues would keep an idle process running.
    await atOnce(until(() => sockets().every((one) => one.destroyed), "the end of the connection"));
  }
  expect(sockets()).toHaveLength(2);
});

/** Notes the sockets that connect to a port from now on. Earlier tests may still be connecting. */
function socketsTo(port: number): () => Socket[] {
  const spy = vi.spyOn(Socket.prototype, "connect");
  onTestFinished(() => spy.mockRestore());
  const isTo = (call: unknown[]) => Number((call.flat()[0] as { port: unknown }).port) === port;
  const { mock } = spy;
  return () => (mock.contexts as Socket[]).filter((_, at) => isTo(mock.calls[at] ?? []));
}
