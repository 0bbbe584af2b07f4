// All commands, newest first, with filters in the address.

import { X } from "lucide-react";
import { Link } from "react-router";
import type { CommandSummary } from "../../client/command.ts";
import { usePage } from "../../client/queries.ts";
import { IconButton } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { duration } from "../../format/time.ts";
import { AgentFilter } from "../../lists/agent-filter.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { type ListState, useListState } from "../../lists/list-state.ts";
import { ServiceFilter } from "../../lists/service-filter.tsx";
import type { Column } from "../../lists/table.tsx";
import { TimeFilter } from "../../lists/time-filter.tsx";
import { texts } from "../../texts/index.ts";
import { CommandSource } from "../../values/command-source.tsx";
import { AgentLink, CommandLink, ServiceLink } from "../../values/links.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import "./command-list.css";

const words = texts.commands;

const filterNames = [
  "status",
  "type",
  "action",
  "agentId",
  "serviceId",
  "eventId",
  "routeId",
  "from",
  "to",
] as const;
type Filter = (typeof filterNames)[number];
type Chip = keyof typeof words.chips;

const columns: Column<CommandSummary>[] = [
  {
    key: "action",
    header: texts.words.action,
    cell: ({ id, action }) => <CommandLink id={id}>{action}</CommandLink>,
  },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { key: "type", header: texts.words.type, cell: ({ type }) => words.types[type] },
  {
    key: "service",
    header: texts.words.service,
    cell: ({ serviceId, serviceCode }) => <ServiceLink id={serviceId}>{serviceCode}</ServiceLink>,
  },
  {
    key: "agent",
    header: texts.words.agent,
    cell: ({ agentId, agentCode }) => <AgentLink id={agentId}>{agentCode}</AgentLink>,
  },
  {
    key: "source",
    header: words.by,
    cell: ({ source }) => <CommandSource source={source} />,
  },
  {
    key: "created",
    header: texts.words.created,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: "duration",
    header: words.duration,
    align: "end",
    cell: ({ durationMs }) => (durationMs === null ? null : duration(durationMs)),
  },
  {
    key: "failure",
    header: words.error,
    cell: ({ errorCode, errorMessage }) =>
      errorCode && <code title={errorMessage ?? undefined}>{errorCode}</code>,
  },
  {
    key: "deliveries",
    header: words.deliveries,
    align: "end",
    extra: true,
    cell: ({ deliveries }) => deliveries,
  },
];

export function Component() {
  const state = useListState(filterNames);
  const { page, pageSize, before, filters } = state;
  const query = usePage("commands.list", {
    query: { page, pageSize, before, ...filters } as never,
  });
  return (
    <Page title={words.title} lead={words.lead}>
      <Filters state={state}>
        <ChoiceFilter
          state={state}
          name="status"
          label={texts.words.status}
          options={["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]}
        />
        <ChoiceFilter
          state={state}
          name="type"
          label={texts.words.type}
          any={words.types.ACTION_EXECUTE}
          options={[
            ["ACTION_PREPARE", words.types.ACTION_PREPARE],
            ["ACTION_EXECUTE,ACTION_PREPARE", words.bothTypes],
          ]}
        />
        <TextFilter
          state={state}
          name="action"
          label={texts.words.action}
          hint={words.actionHint}
        />
        <ServiceFilter state={state} />
        <AgentFilter state={state} />
        <TimeFilter state={state} name="from" label={texts.words.from} />
        <TimeFilter state={state} name="to" label={texts.words.to} />
      </Filters>
      <Chips state={state} />
      <List
        name="commands"
        label={words.title}
        query={query}
        state={state}
        columns={columns}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
    </Page>
  );
}

/** Filters that links bring along: what they let through, by its name, and a way to be rid of them. */
function Chips({ state }: { state: ListState<Filter> }) {
  const { eventId, routeId } = state.filters;
  const chips: [name: Chip, text: string | undefined, to: string][] = [
    ["eventId", eventId, `/bus/events/${eventId}`],
    ["routeId", routeId, `/bus/routes/${routeId}`],
  ];
  const shown = chips.filter(([, text]) => text);
  if (shown.length === 0) return null;
  return (
    <div className="command-chips">
      <span className="muted">{words.only}</span>
      <ul>
        {shown.map(([name, text, to]) => (
          <li key={name}>
            <span>
              {words.chips[name]} <Link to={to}>{text}</Link>
            </span>
            <IconButton
              label={words.dropChip(`${words.chips[name]} ${text}`)}
              icon={<X />}
              onClick={() => state.setFilter(name, "")}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
