import Table, { type HorizontalTableRow } from "cli-table3";
import type { Comparison, Summary } from "./compare.ts";

/** If the server used less of a core, something else limited the throughput. */
const busyEnough = 0.85;

export function formatTable(comparisons: Comparison[]): string {
  const head = ["work", "req/s", "bare req/s", "ratio", "of rounds", "target"];
  head.push("p50 ms", "p99 ms", "CPU µs", "bare µs");
  const rows = comparisons.map(({ work, target, ratio, roundRatios, subject, bare }) => {
    return [
      work,
      Math.round(subject.requestsPerSecond),
      Math.round(bare.requestsPerSecond),
      ratio.toFixed(2),
      `${Math.min(...roundRatios).toFixed(2)}–${Math.max(...roundRatios).toFixed(2)}`,
      `${target.toFixed(2)} ${ratio >= target ? "met" : "missed"}`,
      subject.p50Ms.toFixed(2),
      subject.p99Ms.toFixed(2),
      subject.cpuMicrosPerRequest?.toFixed(1) ?? "",
      bare.cpuMicrosPerRequest?.toFixed(1) ?? "",
    ];
  });
  return [
    tableOf(head, rows),
    ...comparisons.flatMap(floors),
    ...comparisons.flatMap(footnotes),
  ].join("\n");
}

/** The first `left` columns are text, and the others are numbers. */
export function tableOf(head: string[], rows: HorizontalTableRow[], left = 1): string {
  const table = new Table({
    head,
    colAligns: head.map((_, i) => (i < left ? "left" : "right")),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return table.toString();
}

function floors({ work, floor, bare, subject }: Comparison): string[] {
  if (floor === null) return [];
  const { cpuMicros, share, target } = floor;
  const rows = cpuMicros.toFixed(1);
  const verdict = share >= target ? "met" : "missed";
  const http = (bare.cpuMicrosPerRequest ?? 0).toFixed(1);
  const ours = (subject.cpuMicrosPerRequest ?? 0).toFixed(1);
  return [
    `${work}: its rows alone need ${rows} µs and bare node:http ${http} µs, of the server's ` +
      `${ours} µs:\n  ${share.toFixed(2)} (target ${target.toFixed(2)} ${verdict})`,
  ];
}

function footnotes({ work, subject, bare }: Comparison): string[] {
  const servers: [string, Summary][] = [
    ["the server", subject],
    ["bare node:http", bare],
  ];
  return servers
    .filter(([, { busy }]) => busy !== null && busy < busyEnough)
    .map(
      ([name, { busy }]) =>
        `! ${work}: ${name} was busy only ${Math.round((busy ?? 0) * 100)} % of one core; the ` +
        "disk, the load generator or other programs were the limit.",
    );
}
