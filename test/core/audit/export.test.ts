// Exports of the audit trail have the same content as the list, in three formats and at any length.

import { parse } from "csv-parse/sync";
import { describe, expect } from "vitest";
import type { ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { exportAuditEvents } from "../../../src/core/audit/export.ts";
import { systemContext } from "../../../src/core/context.ts";
import type { Download } from "../../../src/core/download.ts";
import type { ExportFormat } from "../../../src/domain/audit/audit-events.ts";
import { startOfTime, type TestApp } from "../../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { untilStill } from "../../helpers/process/process.ts";
import { interceptReads } from "../intercepted-reads.ts";
import { test } from "../scene.ts";
import { addRows, copyRows } from "./long-trail.ts";

type AuditEvent = ReplyData<Routes["audit-events.list"]>[number];
type Filter = Record<string, string>;

async function list(app: TestApp, filter: Filter = {}) {
  const events: AuditEvent[] = [];
  for (let page = 1; ; page++) {
    const query = { ...filter, page, pageSize: 200 } as object;
    const { data, pagination } = await app.as("viewer").page("audit-events.list", { query });
    events.push(...data);
    if (data.length > 0 && events.length < pagination.total) continue;
    expect(events).toHaveLength(pagination.total);
    return events.reverse();
  }
}

async function exported(app: TestApp, format: string, filter: Filter = {}): Promise<string> {
  const query = { ...filter, format } as object;
  const { chunks } = await app.as("viewer").download("audit-events.export", { query });
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

const readers: Record<ExportFormat, (text: string) => unknown[]> = {
  json: (text) => JSON.parse(text),
  jsonl: (text) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  csv: (text) =>
    parse(text, { columns: true, relaxQuotes: false }).map((row) => {
      const { seq, metadata, ...rest } = row as Record<string, string>;
      const cells = Object.entries(rest).map(([name, cell]) => [name, cell === "" ? null : cell]);
      return { ...Object.fromEntries(cells), seq: Number(seq), metadata: JSON.parse(metadata!) };
    }),
};
const contentTypes = {
  json: "application/json; charset=utf-8",
  jsonl: "application/x-ndjson; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
};

describe.each(["json", "jsonl", "csv"] as const)("the %s export", (format) => {
  const read = readers[format];

  test("has the rows of the list, oldest first, except the export's own row", async ({ scene }) => {
    const id = await scene.execute({ reason: 'quotes " and, commas\r\nand lines \u{1f600}' });
    await scene.poll();
    await scene.result(id, { success: false, message: "; 'x' \\" });
    await addRows(scene, 120);
    const before = await list(scene);
    expect(read(await exported(scene, format))).toEqual(before);
    const after = await list(scene);
    expect(after.slice(before.length)).toMatchObject([{ action: "audit.exported" }]);
    expect(read(await exported(scene, format))).toEqual(after);
  });

  test("has its content type and file name, and is well-formed when it is empty", async ({
    app,
  }) => {
    const { contentType, fileName } = await exportOf(app, format);
    expect(contentType).toBe(contentTypes[format]);
    const date = new Date(startOfTime).toISOString().slice(0, 10);
    expect(fileName).toBe(`audit-events-${date}.${format}`);
    expect(read(await exported(app, format, { action: "user.*" }))).toEqual([]);
  });
});

test("the CSV has all columns in a fixed order", async ({ app }) => {
  await addRows(app, 1);
  const [event] = await list(app);
  const [header] = (await exported(app, "csv")).split("\r\n");
  expect(header).toBe(
    "seq,id,at,actorType,actorId,actorName,action,targetType,targetId,result,message,ip,userAgent," +
      "requestId,metadata,hash",
  );
  expect(header!.split(",").sort()).toEqual(Object.keys(event!).sort());
});

test("spreadsheet formulas are escaped in the CSV only", async ({ app }) => {
  const formula = { message: "=1+1", targetId: "+1" };
  await addRows(app, 1, { ...formula, metadata: { formula } });
  const escaped = { message: "'=1+1", targetId: "'+1", metadata: { formula } };
  expect(readers.csv(await exported(app, "csv"))).toMatchObject([escaped]);
  expect(readers.json(await exported(app, "json"))[0]).toMatchObject(formula);
});

test("filters work as in the list, and are audited", async ({ scene }) => {
  const id = await scene.execute();
  scene.clock.advance(60_000);
  const from = new Date(scene.clock.now()).toISOString();
  await addRows(scene, 30, { action: "agent.online", targetType: "agent", result: "FAILURE" });
  await scene.poll();
  const filters: Filter[] = [
    { action: "agent.online" },
    { action: "command.*" },
    { action: "agent.*", from },
    { action: "*" },
    { actorType: "SYSTEM", result: "FAILURE" },
    { targetId: id, action: "command.*", result: "SUCCESS" },
    { from, to: from },
  ];
  for (const filter of filters) {
    const wanted = await list(scene, filter);
    const found = JSON.parse(await exported(scene, "json", filter));
    expect(found, JSON.stringify(filter)).toEqual(wanted);
    const [row] = await scene.as("viewer").call("audit-events.list");
    expect(row).toMatchObject({
      action: "audit.exported",
      actorName: "viewer key",
      targetType: "audit",
      metadata: { format: "json", filters: filter },
    });
  }
});

test("an export contains no rows that are written during it", async ({ app }) => {
  await addRows(app, 250);
  const { chunks } = await exportOf(app, "jsonl");
  let lines = 0;
  for await (const chunk of chunks) {
    lines += String(chunk).split("\n").length - 1;
    await addRows(app, 100);
  }
  expect(lines).toBe(250);
});

function exportOf({ app }: TestApp, format: ExportFormat): Promise<Download> {
  return exportAuditEvents(systemContext(app.core), format, {});
}

/** Counts the reads of audit rows, and makes those after the first `most` fail. */
function countReads(app: TestApp, most = Number.POSITIVE_INFINITY): () => number {
  let reads = 0;
  interceptReads(app, ({ all }) => ({
    async all(sql, ...params) {
      if (sql.includes("FROM audit_events") && ++reads > most) throw new Error("no more");
      return all(sql, ...params);
    },
  }));
  return () => reads;
}

describe("backpressure", () => {
  test("rows are read on demand, and not after the reader has left", async ({ app }) => {
    await addRows(app, 1);
    await copyRows(app, 1000);
    const reads = countReads(app);
    const { chunks } = await exportOf(app, "csv");
    expect(reads()).toBe(0);
    let seen = 0;
    for await (const _ of chunks) if (++seen === 3) break;
    expect(reads()).toBe(2);
  });

  test("over HTTP, a slow reader pauses the export, and a closed connection ends it", async () => {
    const app = await listenTestApp();
    await addRows(app, 1, { message: "x".repeat(2000) });
    await copyRows(app, 5000);
    const reads = countReads(app);
    const leaving = new AbortController();
    const answer = await download(app, "csv", leaving.signal);
    expect(answer.headers.get("content-type")).toBe(contentTypes.csv);
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="audit-events-/,
    );
    const reader = answer.body!.getReader();
    await reader.read();
    // Reading stops once the buffers are full.
    const paused = await untilStill(reads);
    expect(paused).toBeLessThan(60);
    while (reads() < paused + 5) await reader.read();
    leaving.abort();
    expect(await untilStill(reads)).toBeLessThan(100);
  });
});

async function download({ url, apiKey }: ListeningApp, format: string, signal?: AbortSignal) {
  return fetch(`${url}/api/admin/audit-events/export?format=${format}`, {
    headers: { authorization: `Bearer ${await apiKey()}` },
    ...(signal ? { signal } : {}),
  });
}

test("an aborted export is not mistaken for a complete one", async () => {
  const app = await listenTestApp();
  await addRows(app, 1);
  await copyRows(app, 1000);
  const reads = countReads(app, 5);
  const answer = await download(app, "jsonl");
  await expect(answer.text()).rejects.toThrow();
  expect(reads()).toBe(6);
});
