// The overview, which is the console's first page.

import { Link } from "react-router";
import { byUrgency } from "../../../domain/health-map.ts";
import type { Reply } from "../../client/call.ts";
import type { CommandSummary } from "../../client/command.ts";
import { useCall, usePage } from "../../client/queries.ts";
import { Page, Section } from "../../components/page.tsx";
import { FirstSteps } from "../../first-steps/first-steps.tsx";
import { count } from "../../format/number.ts";
import { Loaded, LoadingMark } from "../../lists/loaded.tsx";
import { ShortTable } from "../../lists/short-list.tsx";
import { type Column, column } from "../../lists/table.tsx";
import { columnsOf } from "../../nouns/noun-columns.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { commandCells } from "../../values/command-cells.tsx";
import { StatusBadge, toneOf } from "../../values/status-badge.tsx";
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
  // Assumes agents until the response arrives, because only a new installation has none.
  const isEmpty =
    query.data !== undefined && Object.values(query.data.agents).every((n) => n === 0);
  return (
    <Page title={words.title}>
      {query.data ? <OverviewNotices overview={query.data} /> : !query.error && <LoadingMark />}
      {query.data && !hasProblems(query.data) && <FirstSteps />}
      {!isEmpty && <Attention />}
      {query.data && <ApprovalNotices overview={query.data} />}
      <Loaded query={query}>
        {({ agents, services, commands, registrationTokens }) => (
          <div className="overview-counts">
            <Counts title={words.counts.agents} path="/agents" counts={agents} />
            <Counts
              title={words.counts.services}
              path="/services"
              counts={problemsFirst(services)}
            />
            <Counts title={words.counts.commands} path="/commands" counts={commands} />
            <Counts
              title={words.counts.tokens}
              path="/registration-tokens"
              counts={registrationTokens}
            />
          </div>
        )}
      </Loaded>
      {!isEmpty && <HealthMap />}
      <div className="overview-parts">
        {!isEmpty && (
          <div>
            <CommandsOverTime />
            <RecentFailures />
          </div>
        )}
        <LiveFeed />
      </div>
    </Page>
  );
}

function Counts(props: { title: string; path: string; counts: Record<string, number> }) {
  const { title, path, counts } = props;
  return (
    <section className="card">
      <h2 className="muted small">{title}</h2>
      <ul className="row plain">
        {Object.entries(counts).map(([status, number]) => (
          <li key={status} className={weightOf(status, number)}>
            <Link to={`${path}?status=${status}`}>
              <strong>{count(number)}</strong>
              <StatusBadge status={status} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is wrong comes before what a new installation lacks. */
function hasProblems({ services }: Reply<"overview.get">): boolean {
  return services.UNHEALTHY + services.STALE + services.OFFLINE > 0;
}

function problemsFirst(counts: Reply<"overview.get">["services"]) {
  return Object.fromEntries(byUrgency.map((status) => [status, counts[status]]));
}

/** Zeros and good statuses must not attract more attention than problems. */
function weightOf(status: string, number: number): string | undefined {
  if (number === 0) return "overview-zero";
  return toneOf(status) === "good" ? "overview-good" : undefined;
}

const cells = {
  action: ({ action }: CommandSummary) => action,
  error: commandCells.error,
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
  ...columnsOf(nouns.commands, cells, ["service", "action", "error"]),
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
