// When a schedule is due, in UTC and in its time zone.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Failing } from "../../client/api-error.ts";
import { call, type Input, type Reply } from "../../client/call.ts";
import { Empty } from "../../components/empty.tsx";
import { utcMoment, zonedMoment } from "../../format/moments.ts";
import { type Column, column, Table } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import "./schedules.css";

export type DueTime = Reply<"schedules.preview">["runs"][number];

/** Has either `cron` or `everySeconds`. */
export interface Timing {
  cron?: string | undefined;
  everySeconds?: number | undefined;
  timezone?: string | undefined;
  until?: string | undefined;
}

const words = texts.schedules.dues;

/** Asks the server for the next due times. Other fields of the first argument are not sent. */
export function useDueTimes(
  { cron, everySeconds, timezone, until }: Timing,
  { enabled = true } = {},
): UseQueryResult<Reply<"schedules.preview">, Failing> {
  // Undefined fields are not sent.
  const body = { cron, everySeconds, timezone, until } as NonNullable<
    Input<"schedules.preview">["body"]
  >;
  return useQuery<Reply<"schedules.preview">, Failing>({
    // Does not begin with the route's name: live/refresh.ts would repeat the call.
    queryKey: ["due times", body],
    queryFn: ({ signal }) => call("schedules.preview", { body }, signal),
    enabled,
  });
}

interface DueTimesProps {
  dues: readonly DueTime[];
  zone: string;
  label: string;
}

export function DueTimes({ dues, zone, label }: DueTimesProps) {
  if (dues.length === 0) return <Empty>{words.none}</Empty>;
  const columns: Column<DueTime>[] = [
    column(
      "local",
      words.local({ zone }),
      ({ localTime, offset, note }) => (
        <>
          <span className="due-time">{zonedMoment(localTime)}</span>{" "}
          <span className="muted small">{offset}</span>
          {note && <p className="due-note small">{note}</p>}
        </>
      ),
      { whole: true },
    ),
    column("utc", words.utc, ({ at }) => <span className="due-time">{utcMoment(at)}</span>),
  ];
  return (
    <Table
      name="schedule-dues"
      label={label}
      columns={columns}
      rows={dues}
      rowKey={({ at }) => at}
    />
  );
}
