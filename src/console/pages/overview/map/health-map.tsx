// Shows every service of the fleet as one cell, with filters. The URL contains the filters.

import { useDeferredValue, useMemo } from "react";
import { byUrgency } from "../../../../domain/fleet/health-map.ts";
import type { Reply } from "../../../client/call.ts";
import { useCall } from "../../../client/queries.ts";
import { CellLegend, statesIn } from "../../../components/cells/cell-legend.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Section } from "../../../components/page.tsx";
import { TextField } from "../../../fields/inputs.tsx";
import { useDelayedText } from "../../../fields/use-delayed-text.ts";
import { useListState } from "../../../lists/list-state.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { texts } from "../../../texts/index.ts";
import { MapCells } from "./map-cells.tsx";
import {
  type AgentCells,
  countByStatus,
  problemsFirst,
  withStatus,
  withText,
} from "./map-filter.ts";
import "./health-map.css";

const words = texts.overview.map;

export function HealthMap() {
  const query = useCall("overview.health-map", {});
  return (
    <Section title={words.title}>
      <Loaded query={query}>
        {(map) => (map.total === 0 ? <Empty>{words.noServices}</Empty> : <FilteredMap map={map} />)}
      </Loaded>
    </Section>
  );
}

function FilteredMap({ map }: { map: Reply<"overview.health-map"> }) {
  const { filters, setFilter } = useListState(["q", "status", "first"]);
  const { q = "", status = "", first } = filters;
  const [text, setText] = useDelayedText(q, (next) => setFilter("q", next));
  // The text field responds to typing before the cells change.
  const search = useDeferredValue(text);
  const wanted = useMemo(() => statesIn(byUrgency, status), [status]);
  const { agents, total, truncated } = map;
  const found = useMemo(() => withText(agents, search), [agents, search]);
  const counts = useMemo(() => countByStatus(found), [found]);
  const shown = useMemo(() => {
    const chosen = withStatus(found, wanted);
    return first === "problems" ? problemsFirst(chosen) : chosen;
  }, [found, wanted, first]);
  const countOf = (all: readonly AgentCells[]) =>
    all.reduce((sum, { services }) => sum + services.length, 0);
  const shownCount = countOf(shown);
  return (
    <>
      <search className="row map-filters">
        <CellLegend
          legend={words.legend}
          states={byUrgency}
          counts={counts}
          wanted={wanted}
          onChange={(next) => setFilter("status", [...next].join(","))}
        />
        <TextField
          label={words.find}
          isLabelHidden
          type="search"
          placeholder={words.findHint}
          value={text}
          onChange={setText}
        />
        <label className="row map-first">
          <input
            type="checkbox"
            checked={first === "problems"}
            onChange={({ target }) => setFilter("first", target.checked ? "problems" : "")}
          />
          {words.problemsFirst}
        </label>
        <span className="muted small" role="status">
          {words.shown({ shown: shownCount, total })}
        </span>
      </search>
      {truncated && <p className="small">{words.truncated({ shown: countOf(agents), total })}</p>}
      {shownCount === 0 ? <Empty>{words.none}</Empty> : <MapCells agents={shown} />}
      <p className="muted small map-note map-keys">{words.keys}</p>
    </>
  );
}
