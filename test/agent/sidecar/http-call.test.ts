import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

const connecting = () => process.getActiveResourcesInfo().filter((kind) => kind === "ConnectWrap");

test("an abort ends a call immediately, even before it is connected", async () => {
  const url = `http://127.0.0.1:${await stuckPort()}/`;
  for (const { origin } of [new URL(url), new URL(url.replace("http:", "https:"))]) {
    const { env, isRead } = watchedEnv("KEY");
    const ender = new AbortController();
    const call = { ...common, url: origin, headers: { key: { env: "KEY" } } };
    const held = callHttp(call, { folder: "/", env, signal: ender.signal });
    await isRead;
    expect(connecting()).toHaveLength(1);
    ender.abort(new Error("too late"));
    await expect(atOnce(held)).rejects.toThrow("too late");
    // A connection attempt that continues would keep an idle process running.
    await atOnce(until(() => connecting().length === 0, "the end of the connection"));
  }
});
