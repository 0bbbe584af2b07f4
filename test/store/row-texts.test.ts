// Texts that are made where the rows are read: in the server, or in a reader process.

import { expect, test } from "vitest";
import { presentCaller } from "../../src/core/caller.ts";
import type { ReadRequest, StartReader } from "../../src/domain/storage/reader-process.ts";
import { ReaderPool } from "../../src/store/engine/reader-pool.ts";
import { openReaderProcess } from "../../src/store/engine/sqlite/reader-process.ts";
import { textOfRows } from "../../src/store/row-texts.ts";
import {
  agentSeriesText,
  healthMapJson,
  serviceSeriesText,
} from "../../src/store/tables/overview.ts";
import { openTestApp } from "../helpers/app.ts";

const thresholds = { offlineMs: 90_000, suppressMs: 900_000, serviceStaleMs: 120_000 };

test("a reader process makes the same texts as the server, and sends no rows", async () => {
  const { database, file, clock, registerAgent } = openTestApp();
  const service = (code: string, status: string) => ({
    ...{ code, name: `The ${code}`, version: "1" },
    health: { status, message: "a message" },
  });
  await registerAgent("west", [service("web", "UP"), service("db", "DOWN")]);
  const requests: ReadRequest[] = [];
  const start: StartReader = (name, { onResponse }) => {
    const respond = openReaderProcess(name);
    const send = (request: ReadRequest) => {
      requests.push(request);
      queueMicrotask(() => {
        const response = respond(request);
        expect(response).toEqual({ id: request.id, rows: [expect.any(String)] });
        onResponse(response);
      });
    };
    return { send, kill: () => undefined };
  };
  const aside = new ReaderPool(start, file).readerFor(presentCaller);
  const here = database.bulkReader(presentCaller);
  const textsOf = async (read: typeof here) => [
    await healthMapJson(read, clock.now(), thresholds, 10),
    await serviceSeriesText(read, clock.now(), thresholds, 10),
    await agentSeriesText(read, 10),
  ];
  const texts = await textsOf(aside);
  expect(texts).toEqual(await textsOf(here));
  expect(requests).toHaveLength(3);
  expect(texts[0]).toContain('"status":"UNHEALTHY","healthMessage":"a message"');
  expect(texts[1]).toContain('{service="web",agent="west",status="HEALTHY"} 1');
  expect(texts[2]).toContain('{agent="west",status="ONLINE"} 1');
});

test("labels are escaped, and an agent that has never called has no time", () => {
  const agents = [
    { code: 'a "b"\\c\nd', status: "ONLINE", lastHeartbeatAt: 1_500 },
    { code: "new", status: "OFFLINE", lastHeartbeatAt: null },
  ];
  const lines = textOfRows("agent-series", agents).split("\n");
  expect(lines.filter((line) => line.startsWith("platform_"))).toEqual([
    'platform_agent_status{agent="a \\"b\\"\\\\c\\nd",status="ONLINE"} 1',
    'platform_agent_status{agent="new",status="OFFLINE"} 1',
    'platform_agent_last_heartbeat_timestamp_seconds{agent="a \\"b\\"\\\\c\\nd"} 1.5',
  ]);
});
