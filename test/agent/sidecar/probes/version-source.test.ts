import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readVersion, VersionSource } from "../../../../src/agent/sidecar/probes/version-source.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { closedPort, serveHttp } from "../../../helpers/http/listen.ts";
import { until } from "../../harness.ts";
import { serviceConfig } from "../configs.ts";

const never = new AbortController().signal;
const origin = { folder: "/", env: {} };

function read(version: object | string) {
  const patient = typeof version === "string" ? version : { timeout: 600, ...version };
  return readVersion(serviceConfig({ version: patient }).version, { ...origin, signal: never });
}

const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });

test("the version is read from a program's output", async () => {
  const table: [version: object | string, read: string][] = [
    ["1.2.3", "1.2.3"],
    [" 1.2\n3 ", "1.2 3"],
    [sh("echo; echo ' 2.0 '; echo more"), "2.0"],
    [sh("echo 'tool version 1.22.1' >&2"), "tool version 1.22.1"],
    [{ ...sh("echo 'tool v=7.0.15 x'"), pattern: "v=([\\d.]+)" }, "7.0.15"],
    [{ ...sh("echo 'tool/1.22.1 x' >&2"), pattern: "[\\d.]+" }, "1.22.1"],
    [{ ...sh("echo first; echo 'line 3.1'"), pattern: "\\d\\.\\d" }, "3.1"],
    [sh("printf '1\\033[31m\\t2'"), "1 [31m 2"],
    [sh("printf '%0300d' 0"), `${"0".repeat(99)}…`],
  ];
  for (const [version, expected] of table) {
    expect(await read(version), JSON.stringify(version)).toBe(expected);
  }
});

test("the version is read from a service's response", async () => {
  const url = await serveHttp((request, response) => {
    if (request.url === "/text") response.end("4.5.6\n");
    else if (request.url === "/json")
      response.end('{"app":{"version":"9.1","build":17,"no":null}}');
    else response.writeHead(500).end();
  });
  const json = { url: `${url}/json` };
  expect(await read({ http: { url: `${url}/text` } })).toBe("4.5.6");
  expect(await read({ http: { ...json, pointer: "/app/version" } })).toBe("9.1");
  expect(await read({ http: { ...json, pointer: "/app/build" } })).toBe("17");
  const failures: [version: object, message: string][] = [
    [{ http: { ...json, pointer: "/app" } }, "/app is neither text nor a number"],
    [{ http: { ...json, pointer: "/app/no" } }, "/app/no is neither text nor a number"],
    [{ http: { ...json, pointer: "/gone" } }, "the response has no /gone"],
    [{ http: { url: `${url}/text`, pointer: "" } }, "the response is not JSON"],
    [{ http: { url: `${url}/broken` } }, "HTTP 500, expected 200–299"],
    [{ http: { url: `http://127.0.0.1:${await closedPort()}` } }, "connection refused"],
  ];
  for (const [version, message] of failures) await expect(read(version)).rejects.toThrow(message);
});

test("a version that cannot be read is reported with the reason", async () => {
  const table: [version: object, message: string][] = [
    [sh("exit 0"), "the version is empty"],
    [sh("echo 1.0; echo 'no licence' >&2; exit 3"), "exit status 3: no licence"],
    [{ ...sh("echo none"), pattern: "\\d+" }, "nothing matches /\\d+/u"],
    [{ ...sh("printf '%05000d' 0"), pattern: "(0+)+1" }, "takes too long to match"],
    [{ ...sh("sleep 60"), timeout: 0.1 }, "no answer within 0.1 s"],
    [{ exec: { command: ["/nonexistent/tool"] } }, "/nonexistent/tool cannot be started"],
  ];
  for (const [version, message] of table) await expect(read(version)).rejects.toThrow(message);
});

test("a version is read again at intervals, and the last one is kept while reading fails", async () => {
  const folder = temporaryFolder();
  const program = join(folder, "tool");
  const say = (script: string) => {
    // The program may be started at any time, so it is replaced in one step.
    writeFileSync(`${program}.new`, `echo asked >>${program}.log; ${script}`);
    writeFileSync(`${program}.log`, "");
    renameSync(`${program}.new`, program);
  };
  const askedOften = () =>
    until(() => readFileSync(`${program}.log`, "utf8").split("\n").length > 2, "more asking");
  const told: string[] = [];
  const { version: config } = serviceConfig({
    version: { exec: { command: ["/bin/sh", program] }, interval: 0.01, timeout: 600 },
  });
  const source = new VersionSource({
    config,
    origin,
    onChange: () => told.push(source.current()),
    onProblem: (message) => told.push(message),
  });
  onTestFinished(() => source.stop());
  say("exit 4");
  expect(source.current()).toBe("unknown");
  source.start();
  await source.first;
  expect(source.current()).toBe("unknown");
  await askedOften();
  say("echo 1.0");
  await until(() => source.current() === "1.0", "the first version");
  await askedOften();
  say("exit 5");
  await until(() => told.includes("exit status 5"), "the problem");
  expect(source.current()).toBe("1.0");
  say("echo 2.0");
  await until(() => source.current() === "2.0", "the next version");
  expect(told).toEqual(["exit status 4", "1.0", "exit status 5", "2.0"]);
});

test("stop ends the reading immediately, and no problem is reported", async () => {
  const told: string[] = [];
  const { version: config } = serviceConfig({ version: { ...sh("sleep 60"), timeout: 600 } });
  const source = new VersionSource({ config, origin, onProblem: (message) => told.push(message) });
  source.start();
  await source.stop();
  await source.first;
  expect([source.current(), told]).toEqual(["unknown", []]);
});
