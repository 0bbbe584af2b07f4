// No test of the benchmark checks speed.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { AnswerReader, statusOf } from "../../scripts/bench/answer-reader.ts";
import { benches } from "../../scripts/bench/benches.ts";
import { median } from "../../scripts/bench/compare.ts";
import { type Agent, commandId, insertRunningCommands } from "../../scripts/bench/fixtures.ts";
import { runLoad } from "../../scripts/bench/load.ts";
import { processCpuMs } from "../../scripts/bench/processors.ts";
import { encodeRequest, numberRequests } from "../../scripts/bench/requests.ts";
import { startBareServer } from "../../scripts/bench/server-process.ts";
import { projectFolder } from "../../scripts/build/project.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { serveHttp } from "../helpers/http/listen.ts";

const agents: Agent[] = [1, 2].map((n) => ({
  id: `agt_${n}`,
  token: `platform_agent_${n}`,
  serviceId: `svc_${n}`,
  serviceCode: `service-${n}`,
}));

describe("AnswerReader", () => {
  const answer = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 11\r\n\r\n{"ok":true}');

  it("joins the parts of a response wherever it is split", () => {
    for (let cut = 1; cut < answer.length; cut++) {
      const reader = new AnswerReader();
      const buffer = Buffer.alloc(100, "\r\n\r\n"); // leftovers of earlier responses in the buffer must not matter
      answer.copy(buffer, 0, 0, cut);
      expect(reader.read(buffer, cut), `first ${cut} bytes`).toBeNull();
      answer.copy(buffer, 0, cut);
      const whole = reader.read(buffer, answer.length - cut);
      expect(whole?.bytes.toString("latin1", 0, whole.size)).toBe(answer.toString());
      expect(statusOf(whole?.bytes as Buffer)).toBe(201);
    }
  });

  it("reads Content-Length in any spelling, and refuses a response without it", () => {
    const lowerCase = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n");
    expect(new AnswerReader().read(lowerCase, lowerCase.length)?.size).toBe(lowerCase.length);
    const without = Buffer.from("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    expect(() => new AnswerReader().read(without, without.length)).toThrow(/400 Bad Request/);
  });
});

describe("requests", () => {
  it("look like an agent's requests", () => {
    const bytes = encodeRequest(8080, { method: "POST", path: "/x", token: "t", body: { a: "é" } });
    expect(bytes.toString()).toBe(
      "POST /x HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAuthorization: Bearer t\r\n" +
        'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":"é"}',
    );
  });

  it("contain their number, until all requests are sent", () => {
    const next = numberRequests(Buffer.from("GET /cmd_000/x"), "cmd_000", {
      first: 8,
      step: 2,
      end: 12,
    });
    expect([next()?.toString(), next()?.toString(), next()]).toEqual([
      "GET /cmd_008/x",
      "GET /cmd_010/x",
      null,
    ]);
  });
});

describe("runLoad", () => {
  it("counts the bare server's responses for every kind of request", async () => {
    const bare = await startBareServer(new AbortController().signal);
    onTestFinished(bare.stop);
    for (const bench of benches) {
      const left = agents.map(() => 5);
      const requests = agents.map((agent, i) => {
        const bytes = encodeRequest(bare.port, bench.request(agent, "platform_key_1"));
        return () => ((left[i] as number)-- > 0 ? bytes : null);
      });
      const { answered, latencies } = await runLoad(bare.port, requests, 10);
      expect(answered, bench.name).toBeGreaterThanOrEqual(5);
      expect(latencies.count, bench.name).toBe(answered);
    }
    expect(processCpuMs(bare.pid)).not.toBe(0);
  });

  it("fails with the first response that is not 2xx", async () => {
    const url = await serveHttp((_, response) => {
      response.writeHead(401, { "Content-Length": 7 }).end("revoked");
    });
    const port = Number(new URL(url).port);
    const bytes = encodeRequest(port, { method: "GET", path: "/", token: "t" });
    await expect(runLoad(port, [() => bytes], 10)).rejects.toThrow(/401 Unauthorized.*revoked/s);
  });
});

it("insertRunningCommands gives each agent commands with ids in the usual format", () => {
  const file = join(temporaryFolder(), "platform.db");
  const database = new Database(file);
  onTestFinished(() => void database.close());
  const schema = new URL("../schema.sql", import.meta.url);
  database.exec(readFileSync(schema, "utf8"));
  for (const { id, serviceId, serviceCode } of agents) {
    database.exec(`
      INSERT INTO agents (id, code, mode, status, registered_at, updated_at)
        VALUES ('${id}', '${id}', 'sidecar', 'ONLINE', 0, 0);
      INSERT INTO services (id, code, agent_id, name, version, health_class, stored_status,
        created_at, updated_at, last_reported_at)
        VALUES ('${serviceId}', '${serviceCode}', '${id}', 'n', '1',
          'healthy', 'HEALTHY', 0, 0, 0)`);
  }
  insertRunningCommands(file, agents, { first: 7, end: 10 });
  expect(database.prepare("SELECT id, agent_id, status FROM commands").raw().all()).toEqual([
    [commandId(7), "agt_1", "RUNNING"],
    [commandId(8), "agt_2", "RUNNING"],
    [commandId(9), "agt_1", "RUNNING"],
  ]);
  expect(commandId(7)).toMatch(/^cmd_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

describe("figures", () => {
  it.each([
    [[3], 3],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ])("median of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

it("refuses an unknown benchmark and lists the known ones", async () => {
  const index = join(projectFolder, "scripts/bench/index.ts");
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, [index, "nonsense"], (error, _, text) => {
      expect(error?.code).toBe(1);
      resolve(text);
    });
  });
  for (const { name } of benches) expect(stderr).toContain(name);
});
