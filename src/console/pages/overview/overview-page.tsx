// The overview, which is the console's first page.

import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import type { CommandSummary } from "../../client/command.ts";
import { useCall, usePage } from "../../client/queries.ts";
import { Failure } from "../../components/failure.tsx";
import { Page, Section } from "../../components/page.tsx";
import { Cut } from "../../components/text/cut.tsx";
import { FirstSteps } from "../../first-steps/first-steps.tsx";
import { LoadingMark, useUnsaidError } from "../../lists/loaded.tsx";
import { ShortTable } from "../../lists/short-list.tsx";
import { type Column, column } from "../../lists/table.tsx";
import { columnsOf } from "../../nouns/noun-columns.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { commandCells } from "../../values/command-cells.tsx";
import { Time } from "../../values/time.tsx";
import { Attention } from "./attention/attention.tsx";
import { LiveFeed } from "./live-feed.tsx";
import { HealthMap } from "./map/health-map.tsx";
import { ApprovalNotices, OverviewNotices } from "./overview-notices.tsx";
import { CommandsOverTime } from "./plots/commands-over-time.tsx";
import "./overview-page.css";

const words = texts.overview;

export function Component() {
  const query = useCall("overview.get", {});
  const error = useUnsaidError(query.error, query.data !== undefined);
  // Until the response arrives, assume that there are agents: only a new installation has none.
  const isEmpty =
    query.data !== undefined && Object.values(query.data.agents).every((n) => n === 0);
  return (
    <Page title={words.title}>
      {query.data ? <OverviewNotices overview={query.data} /> : !query.error && <LoadingMark />}
      <Failure error={error} onRetry={() => void query.refetch()} />
      {query.data && !hasProblems(query.data) && <FirstSteps />}
      {!isEmpty && <Attention overview={query.data} />}
      {query.data && <ApprovalNotices overview={query.data} />}
      <div className="overview-parts">
        {!isEmpty && (
          <div>
            <HealthMap />
            <CommandsOverTime />
            <RecentFailures />
          </div>
        )}
        <LiveFeed />
      </div>
    </Page>
  );
}

/** Whether any service needs attention. Problems take the place of the first steps. */
function hasProblems({ services }: Reply<"overview.get">): boolean {
  return services.UNHEALTHY + services.STALE + services.OFFLINE > 0;
}

const cells = {
  action: ({ action }: CommandSummary) => action,
};

const columns: Column<CommandSummary>[] = [
  column(
    "when",
    texts.audit.when,
    ({ id, completedAt, createdAt }) => (
      <NounLink to="commands" id={id}>
        <Time at={completedAt ?? createdAt} />
      </NounLink>
    ),
    { card: "fact" },
  ),
  ...columnsOf(nouns.commands, cells, ["service", "action"]),
  // `whole` keeps the column on narrow screens, on which a card shows only the message.
  column("error", texts.commands.error, (of) => <Cut>{commandCells.error(of)}</Cut>, {
    whole: true,
  }),
  column("message", texts.words.message, ({ errorMessage }) => errorMessage, { card: "fact" }),
];

function RecentFailures() {
  const { title, all, none } = words.failures;
  const query = usePage("commands.list", { query: { status: "FAILED", pageSize: 8 } });
  return (
    <Section title={title} actions={<Link to="/commands?status=FAILED">{all}</Link>}>
      <ShortTable
        name="recent-failures"
        label={title}
        columns={columns}
        query={query}
        empty={none}
      />
    </Section>
  );
}
