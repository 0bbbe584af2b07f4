// The numbers of the plots, newest first; without the times in which nothing ended.

import { count } from "../../../format/number.ts";
import { duration, exactTime, shortMoment } from "../../../format/time.ts";
import { type Column, Table } from "../../../lists/table.tsx";
import { texts } from "../../../texts/index.ts";
import type { Bucket } from "./command-report.ts";

const words = texts.overview.commands;

const columns: Column<Bucket>[] = [
  {
    key: "from",
    header: words.time,
    cell: ({ at }) => (
      <time dateTime={at} title={exactTime(at)}>
        {shortMoment(at)}
      </time>
    ),
  },
  numbers("succeeded", words.succeeded, ({ succeeded }) => count(succeeded)),
  numbers("failed", words.failed, ({ failed }) => count(failed)),
  numbers("cancelled", words.cancelled, ({ cancelled }) => count(cancelled)),
  numbers("p50", words.p50, ({ p50Ms }) => p50Ms !== null && duration(p50Ms)),
  numbers("p95", words.p95, ({ p95Ms }) => p95Ms !== null && duration(p95Ms)),
];

export function CommandTable({ buckets }: { buckets: readonly Bucket[] }) {
  const rows = buckets
    .filter(({ succeeded, failed, cancelled }) => succeeded + failed + cancelled > 0)
    .toReversed();
  return (
    <Table
      name="overview-commands"
      label={words.title}
      columns={columns}
      rows={rows}
      rowKey={({ at }) => at}
    />
  );
}

function numbers(key: string, header: string, cell: Column<Bucket>["cell"]): Column<Bucket> {
  return { key, header, cell, align: "end" };
}
