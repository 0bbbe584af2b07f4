// How comparisons look to a person.

import Table from "cli-table3";
import type { Comparison, Summary } from "./compare.ts";

/** Below this share of a core, something other than the server's own work was the limit. */
const busyEnough = 0.85;

export function formatTable(comparisons: Comparison[]): string {
  const head = ["work", "req/s", "bare req/s", "ratio", "of rounds", "target"];
  head.push("p50 ms", "p99 ms", "CPU µs", "bare µs");
  const table = new Table({
    head,
    colAligns: head.map((_, i) => (i === 0 ? "left" : "right")),
    style: { head: [], border: [], compact: true },
  });
  for (const { work, target, ratio, roundRatios, subject, bare } of comparisons) {
    table.push([
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
    ]);
  }
  return [table.toString(), ...comparisons.flatMap(footnotes)].join("\n");
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
