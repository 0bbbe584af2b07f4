// Events of the bus, newest first, with what came of each.

import { Link } from "react-router";
import { usePage } from "../../../client/queries.ts";
import { AgentFilter } from "../../../lists/agent-filter.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../../lists/filters.tsx";
import { List } from "../../../lists/list.tsx";
import { useListState } from "../../../lists/list-state.ts";
import type { Column } from "../../../lists/table.tsx";
import { TimeFilter } from "../../../lists/time-filter.tsx";
import { texts } from "../../../texts/index.ts";
import { AgentCodeLink } from "../../../values/links.tsx";
import { Time } from "../../../values/time.tsx";
import { BusPage } from "../bus-page.tsx";
import { useRouteChoices } from "../routes/route-choices.ts";
import { type BusEventRow, Outcomes } from "./outcomes.tsx";

const words = texts.busEvents;

const columns: Column<BusEventRow>[] = [
  { key: "received", header: words.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  {
    key: "type",
    header: texts.words.type,
    cell: ({ id, type }) => <Link to={`/bus/events/${id}`}>{type}</Link>,
  },
  { key: "source", header: words.source, cell: ({ source }) => source },
  { key: "subject", header: words.subject, cell: ({ subject }) => subject },
  {
    key: "outcome",
    header: words.outcome,
    cell: ({ routes }) => <Outcomes matches={routes} />,
  },
  {
    key: "agent",
    header: texts.words.agent,
    extra: true,
    cell: ({ agentId }) => <AgentCodeLink id={agentId} />,
  },
  { key: "depth", header: words.depth, extra: true, align: "end", cell: ({ depth }) => depth },
  {
    key: "correlation",
    header: words.correlation,
    extra: true,
    cell: ({ correlationId }) => correlationId,
  },
];

export function Component() {
  const state = useListState(["type", "source", "agentId", "routeId", "from", "to"]);
  const { page, pageSize, before, filters } = state;
  const query = usePage("bus-events.list", {
    query: { page, pageSize, before, ...filters } as never,
  });
  const routes = useRouteChoices(filters.routeId);
  return (
    <BusPage title={words.title} lead={words.lead}>
      <Filters state={state}>
        <TextFilter state={state} name="type" label={texts.words.type} />
        <TextFilter state={state} name="source" label={words.source} hint={words.sourceHint} />
        <AgentFilter state={state} />
        <ChoiceFilter state={state} name="routeId" label={words.route} options={routes} />
        <TimeFilter state={state} name="from" label={texts.words.from} />
        <TimeFilter state={state} name="to" label={texts.words.to} />
      </Filters>
      <List
        name="bus-events"
        label={words.title}
        query={query}
        state={state}
        columns={columns}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
    </BusPage>
  );
}
