// No test of the benchmark checks speed. bench-kinds.long.test.ts runs every kind.

import { describe, expect, it, onTestFinished } from "vitest";
import { AnswerReader, statusOf } from "../../scripts/bench/answer-reader.ts";
import type { AskerReport } from "../../scripts/bench/asker-process.ts";
import { benches } from "../../scripts/bench/benches.ts";
import { viewersReadings } from "../../scripts/bench/big-kinds.ts";
import type { Agent } from "../../scripts/bench/fixtures.ts";
import { runLoad } from "../../scripts/bench/load.ts";
import { paced } from "../../scripts/bench/paced.ts";
import { processCpuMs } from "../../scripts/bench/processors.ts";
import { formatMeasurement, readingOf } from "../../scripts/bench/readings.ts";
import { encodeRequest } from "../../scripts/bench/requests.ts";
import { startBareServer } from "../../scripts/bench/server-process.ts";
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

describe("readings", () => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i);

  it("have percentiles that are samples, and say whether the target is met", () => {
    const reading = readingOf("work", "ms", values, { figure: "p99", limit: 198 });
    expect(reading).toMatchObject({ min: 1, p50: 100, p99: 198, max: 200, met: true });
    expect(readingOf("work", "ms", values, { figure: "p99", limit: 197 }).met).toBe(false);
    expect(readingOf("work", "ms", values, { figure: "max", limit: 199 }).met).toBe(false);
    const rate = { figure: "p50", limit: 100, atLeast: true } as const;
    expect(readingOf("work", "per second", values, rate).met).toBe(true);
    expect(readingOf("work", "per second", values, { ...rate, limit: 101 }).met).toBe(false);
    expect(readingOf("work", "ms", [], { figure: "p99", limit: 10 }).met).toBe(false);
  });

  it("are printed with the target and the processors", () => {
    const readings = [
      readingOf("heartbeat", "ms", [1, 2], { figure: "p99", limit: 1 }),
      readingOf("trips", "per second", [3000], { figure: "p50", limit: 2000, atLeast: true }),
    ];
    const processors = { "the server": 0.5, viewers: null };
    const text = formatMeasurement({ name: "stall", notes: ["A note."], readings, processors });
    expect(text).toContain("p99 ≤ 1 missed");
    expect(text).toContain("p50 ≥ 2000 met");
    expect(text).toContain("A note.\nProcessors used: the server 0.50, viewers unknown.");
  });
});

it("viewers may be refused with a clear error in time, but must not get another error, nor wait without limit", () => {
  const answer = { path: "/x", status: 200, ms: 5, bytes: 1, refusal: null };
  const met = (report: AskerReport) => viewersReadings(report).map((reading) => reading.met);
  const refusal = { code: "UNAVAILABLE", message: "The search took too long." };
  const refused = { ...answer, status: 503, ms: 10_050, refusal };
  const waiting = [{ path: "/y", ms: 9_000 }];
  expect(met({ answers: [answer, refused], waiting })).toEqual([true, null, true]);
  const broken = { ...answer, status: 500, refusal: { code: "INTERNAL", message: "x" } };
  const late = [{ path: "/y", ms: 20_000 }];
  expect(met({ answers: [answer, broken], waiting: late })).toEqual([false, null, false]);
});

it("paced work fails with the first job that fails, and stops when it is interrupted", async () => {
  const failing = async () => {
    throw new Error("refused");
  };
  const pace = { perSecond: 100, seconds: 60 };
  const { signal } = new AbortController();
  await expect(paced([1, 2], pace, failing, signal)).rejects.toThrow("refused");
  const interrupted = AbortSignal.abort();
  await expect(paced([1], pace, async () => {}, interrupted)).rejects.toThrow(/abort/);
});
