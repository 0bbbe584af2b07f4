import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { exportAuditEvents } from "../../../src/core/audit/export.ts";
import { systemContext } from "../../../src/core/context.ts";
import { openTestApp } from "../../helpers/app.ts";
import { addRows, copyRows } from "./long-trail.ts";

test("60,000 rows stream with flat memory", async () => {
  const app = openTestApp();
  await addRows(app, 1, { message: "x".repeat(200) });
  await copyRows(app, 59_999);
  const { chunks } = await exportAuditEvents(systemContext(app.app.core), "csv", {});
  const started = performance.now();
  let bytes = 0;
  let rows = 0;
  let count = 0;
  let early = 0;
  let most = 0;
  for await (const chunk of chunks) {
    bytes += Buffer.byteLength(chunk);
    rows += String(chunk).split("\r\n").length - 1;
    // By now, everything that is created only once exists.
    if (++count === 200) early = reachableBytes();
    if (count > 200 && count % 200 === 0) most = Math.max(most, reachableBytes());
  }
  const seconds = (performance.now() - started) / 1000;
  const growth = (most - early) / 2 ** 20;
  console.log(
    `export: ${rows} rows, ${(bytes / 2 ** 20).toFixed(0)} MiB in ${seconds.toFixed(1)} s; ` +
      `memory grew by ${growth.toFixed(2)} MiB`,
  );
  expect(rows).toBe(60_001);
  // Much more than the allowed memory is streamed between the first and the last measurement.
  expect(bytes / 2 ** 20).toBeGreaterThan(24);
  expect(growth).toBeLessThan(6);
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function reachableBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
