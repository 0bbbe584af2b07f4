// Every service of the fleet as one cell: the frame of the map, with what it may be filtered by. All that
// one chooses is in the address.

import { useDeferredValue, useMemo } from "react";
import type { Reply } from "../../../client/call.ts";
import { useCall } from "../../../client/queries.ts";
import { Empty } from "../../../components/empty.tsx";
import { Section } from "../../../components/page.tsx";
import { Field } from "../../../fields/field.tsx";
import { useWritten } from "../../../fields/written.ts";
import { count } from "../../../format/number.ts";
import { type ListState, useListState } from "../../../lists/list-state.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { MapCells } from "./map-cells.tsx";
import {
  countByStatus,
  problemsFirst,
  type Status,
  statuses,
  withStatus,
  withText,
} from "./map-filter.ts";
import { MapLegend } from "./map-legend.tsx";
import "./health-map.css";

const words = texts.overview.map;

type MapState = ListState<"q" | "status" | "first">;

export function HealthMap() {
  const query = useCall("overview.health-map", {});
  const state = useListState(["q", "status", "first"]);
  return (
    <Section title={words.title}>
      <Loaded query={query}>
        {(map) =>
          map.total === 0 ? (
            <Empty>{words.noServices}</Empty>
          ) : (
            <FilteredMap map={map} state={state} />
          )
        }
      </Loaded>
    </Section>
  );
}

function FilteredMap({ map, state }: { map: Reply<"overview.health-map">; state: MapState }) {
  const { q = "", status = "", first } = state.filters;
  const [text, setText] = useWritten(q, (next) => state.setFilter("q", next));
  // The cells may come a moment after the letters.
  const sought = useDeferredValue(text);
  const wanted = useMemo(() => statusesIn(status), [status]);
  const { agents } = map;
  const found = useMemo(() => withText(agents, sought), [agents, sought]);
  const counts = useMemo(() => countByStatus(found), [found]);
  const shown = useMemo(() => {
    const chosen = withStatus(found, wanted);
    return first === "problems" ? problemsFirst(chosen) : chosen;
  }, [found, wanted, first]);
  const shownCount = shown.reduce((total, { services }) => total + services.length, 0);
  const inMap = agents.reduce((total, { services }) => total + services.length, 0);
  return (
    <>
      <search className="map-tools inline-fields">
        <MapLegend
          counts={counts}
          wanted={wanted}
          onChange={(next) => state.setFilter("status", [...next].join(","))}
        />
        <Field label={words.find}>
          {(control) => (
            <input
              {...control}
              type="search"
              placeholder={words.findHint}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <label className="map-first">
          <input
            type="checkbox"
            checked={first === "problems"}
            onChange={({ target }) => state.setFilter("first", target.checked ? "problems" : "")}
          />
          {words.problemsFirst}
        </label>
      </search>
      <p className="muted small map-note">
        <span role="status">{words.shown(count(shownCount), count(map.total))}</span>
        {" · "}
        {words.keys}
      </p>
      {map.truncated && <p className="small">{words.truncated(count(map.total), count(inMap))}</p>}
      {shownCount === 0 ? <Empty>{words.none}</Empty> : <MapCells agents={shown} />}
    </>
  );
}

function statusesIn(text: string): ReadonlySet<Status> {
  const named = text.split(",");
  return new Set(statuses.filter((status) => named.includes(status)));
}
