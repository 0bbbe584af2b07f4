// All routes of the event bus, with their states, which can be changed here.

import { Link } from "react-router";
import { usePage } from "../../../client/queries.ts";
import { useMay } from "../../../client/session.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../../lists/filters.tsx";
import { List } from "../../../lists/list.tsx";
import { useListState } from "../../../lists/list-state.ts";
import type { Column } from "../../../lists/table.tsx";
import { texts } from "../../../texts/index.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { Time } from "../../../values/time.tsx";
import { BusPage } from "../bus-page.tsx";
import { type Route, routeStates } from "./route-draft.ts";
import { RouteStateButtons } from "./route-state.tsx";

const words = texts.busRoutes;

const columns: Column<Route>[] = [
  {
    key: "name",
    header: texts.words.name,
    cell: ({ id, name }) => <Link to={`/bus/routes/${id}`}>{name}</Link>,
  },
  { key: "state", header: words.state, cell: ({ state }) => <StatusBadge status={state} /> },
  { key: "type", header: words.type, cell: ({ match }) => <code>{match.type}</code> },
  { key: "source", header: words.source, cell: ({ match }) => match.source ?? words.anySource },
  {
    key: "target",
    header: words.runs,
    cell: ({ target }) => `${target.serviceCode} · ${target.action}`,
  },
  { key: "updated", header: texts.words.updated, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    key: "created",
    header: texts.words.created,
    extra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: "description",
    header: texts.words.description,
    extra: true,
    cell: ({ description }) => description,
  },
];

const change: Column<Route> = {
  key: "change",
  header: texts.words.change,
  cell: (route) => (
    <span className="row">
      <RouteStateButtons route={route} />
    </span>
  ),
};

export function Component() {
  const state = useListState(["q", "state"]);
  const { page, pageSize, filters } = state;
  const query = usePage("bus-routes.list", { query: { page, pageSize, ...filters } as never });
  const mayChange = useMay("operator");
  return (
    <BusPage
      title={words.title}
      lead={words.lead}
      actions={
        mayChange && (
          <ButtonLink kind="primary" to="/bus/routes/new">
            {words.create}
          </ButtonLink>
        )
      }
    >
      <Filters state={state}>
        <TextFilter state={state} name="q" label={texts.words.search} hint={words.searchHint} />
        <ChoiceFilter
          state={state}
          name="state"
          label={words.state}
          options={routeStates.map((each) => [each, words.states[each].name] as const)}
        />
      </Filters>
      <List
        name="bus-routes"
        label={words.title}
        query={query}
        state={state}
        columns={mayChange ? [...columns, change] : columns}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
    </BusPage>
  );
}
