// All services, with filters in the address.

import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { Page } from "../../components/page.tsx";
import { AgentFilter } from "../../lists/agent-filter.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { AgentLink, ServiceLink } from "../../values/links.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";

type Service = Reply<"services.list">[number];

const words = texts.services;

/** Agents may use any word. */
const usualHealth = ["UP", "DEGRADED", "DOWN"];

const columns: Column<Service>[] = [
  {
    key: "code",
    header: texts.words.code,
    cell: ({ id, code }) => <ServiceLink id={id}>{code}</ServiceLink>,
  },
  { key: "name", header: texts.words.name, cell: ({ name }) => name },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "health",
    header: words.health,
    cell: ({ healthStatus, healthMessage }) =>
      healthMessage ? (
        <>
          {healthStatus} <span className="muted small">{healthMessage}</span>
        </>
      ) : (
        healthStatus
      ),
  },
  {
    key: "agent",
    header: texts.words.agent,
    cell: ({ agentId, agentCode }) => <AgentLink id={agentId}>{agentCode}</AgentLink>,
  },
  { key: "version", header: texts.words.version, cell: ({ version }) => version },
  {
    key: "lastReport",
    header: words.lastReport,
    cell: ({ lastReportedAt }) => <Time at={lastReportedAt} />,
  },
  {
    key: "healthSince",
    header: words.healthSince,
    extra: true,
    cell: ({ healthChangedAt }) => <Time at={healthChangedAt} />,
  },
  {
    key: "stored",
    header: words.stored,
    extra: true,
    cell: ({ storedStatus }) => <StatusBadge status={storedStatus} />,
  },
];

export function Component() {
  const state = useListState(["q", "status", "healthStatus", "agentId"]);
  const { page, pageSize, filters } = state;
  const query = usePage("services.list", { query: { page, pageSize, ...filters } as never });
  return (
    <Page title={words.title} lead={words.lead}>
      <Filters state={state}>
        <TextFilter state={state} name="q" label={texts.words.search} hint={words.searchHint} />
        <ChoiceFilter
          state={state}
          name="status"
          label={texts.words.status}
          options={["HEALTHY", "UNHEALTHY", "STALE", "OFFLINE", "UNKNOWN"]}
        />
        <TextFilter
          state={state}
          name="healthStatus"
          label={words.health}
          hint={words.healthHint}
          suggestions={usualHealth}
        />
        <AgentFilter state={state} />
      </Filters>
      <List
        name="services"
        label={words.title}
        query={query}
        state={state}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <>
            <p>{words.empty}</p>
            <Link to="/agents">{words.toAgents}</Link>
          </>
        }
      />
    </Page>
  );
}
