// The history of a schedule's runs.

import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import { type Column, column } from "../../lists/table.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";

type Run = Reply<"schedules.runs">[number];

const words = texts.schedules.runs;
const everyMs = 2_000;

export function ScheduleRuns({ scheduleId }: { scheduleId: string }) {
  const state = useListState([]);
  const { page, pageSize } = state;
  const query = usePage(
    "schedules.runs",
    { params: { scheduleId }, query: { page, pageSize } },
    // A run ends a moment after its command or rollout. The live stream does not report this.
    { everyMs: (runs) => (runs?.data.some(isOpen) ?? false) && everyMs },
  );
  return (
    <List
      name="schedule-runs"
      label={words.title}
      query={query}
      state={state}
      columns={columns}
      csv={{ list: "schedules.runs", params: { scheduleId } }}
      rowKey={({ dueAt, trigger }) => `${dueAt} ${trigger}`}
      empty={words.none}
    />
  );
}

function isOpen({ state }: Run): boolean {
  return state === "WAITING" || state === "STARTING" || state === "RUNNING";
}

const columns: Column<Run>[] = [
  column(
    "due",
    words.due,
    (run) => (
      <>
        <Time at={run.dueAt} />
        <Notes run={run} />
      </>
    ),
    { card: "title" },
  ),
  column("state", words.state, ({ state }) => <StatusBadge status={state} />, { card: "state" }),
  column("what", words.what, startedCell, { card: "fact" }),
  column(
    "why",
    words.why,
    ({ errorCode, errorMessage }) => {
      if (errorCode === null) return null;
      return (
        <>
          <code>{errorCode}</code> {errorMessage}
        </>
      );
    },
    { card: "fact" },
  ),
  column("ended", words.ended, ({ endedAt }) => endedAt && <Time at={endedAt} />),
];

function startedCell({ commandId, rolloutId }: Run) {
  if (commandId) {
    return (
      <NounLink to="commands" id={commandId}>
        {words.command}
      </NounLink>
    );
  }
  return (
    rolloutId && (
      <NounLink to="rollouts" id={rolloutId}>
        {words.rollout}
      </NounLink>
    )
  );
}

function Notes({ run: { trigger, requestedBy, missedRuns } }: { run: Run }) {
  const notes = [
    trigger === "operator" && byHand(requestedBy),
    missedRuns > 0 && words.missed({ many: missedRuns }),
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return <p className="run-note muted small">{notes.join(texts.words.comma)}</p>;
}

function byHand(who: string | null): string {
  return who === null ? words.byHand : words.byHandOf({ who });
}
