// The filters that are set, as chips with their values. A click on a chip opens the menu at its
// filter. Each chip has a button that removes it.

import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { NounFilter } from "../../../api/contract/noun.ts";
import { parseTime } from "../../../lib/moments.ts";
import { issueOf } from "../../client/api-error.ts";
import { Button, IconButton } from "../../components/buttons/button.tsx";
import { dateAndTime } from "../../format/time.ts";
import type { ListState } from "../../lists/list-state.ts";
import { isTimeSpan } from "../../lists/time-spans.ts";
import { texts } from "../../texts/index.ts";
import { NounLink, ObjectName } from "../noun-link.tsx";
import { ChosenTexts } from "./choice-facets.tsx";
import { type FilteredList, isSet, titleOfFacet } from "./facets.ts";
import { NamedValue } from "./text-facets.tsx";

interface ChipsProps {
  list: FilteredList;
  /** The filters in the menu. */
  facets: readonly NounFilter[];
  state: ListState<string>;
  error: unknown;
  /** The id of the menu. */
  menu: string;
  onAsk: (name: string) => void;
  /** Called after a chip that may have had the focus was removed. */
  onDropped: () => void;
}

export function Chips({ list, facets, state, error, menu, onAsk, onDropped }: ChipsProps) {
  const shown = list.filters.filter(
    (filter) =>
      filter.kind !== "search" &&
      filter.name !== "to" &&
      // While a filter that has `all` is not set, the list omits some rows. A chip shows this, too.
      (isSet(filter, state) || filter.all !== undefined),
  );
  const isWhole = ({ name, all }: NounFilter) => all !== undefined && state.filters[name] === all;
  const given = shown.filter((filter) => !isWhole(filter));
  const drop = ({ name, all = "" }: NounFilter) => {
    state.setFilters(name === "from" ? { from: "", to: "" } : { [name]: all });
    onDropped();
  };
  return (
    <ul className="chips plain" aria-label={texts.filters.active}>
      {given.map((filter) => (
        <li key={filter.name} className="chip" title={issueOf(error, filter.name) ?? undefined}>
          {facets.includes(filter) ? (
            <button
              type="button"
              popoverTarget={menu}
              popoverTargetAction="show"
              onClick={() => onAsk(filter.name)}
            >
              <ChipText list={list} filter={filter} state={state} />
            </button>
          ) : (
            <ChipText list={list} filter={filter} state={state} isLinked />
          )}
          <IconButton
            label={texts.nouns.dropFilter({ filter: titleOfFacet(filter) })}
            icon={<X />}
            onClick={() => drop(filter)}
          />
        </li>
      ))}
      {given.some((filter) => isSet(filter, state)) && (
        <li>
          <Button
            kind="quiet"
            onClick={() => {
              state.clearFilters();
              onDropped();
            }}
          >
            {texts.words.clearFilters}
          </Button>
        </li>
      )}
    </ul>
  );
}

interface ChipTextProps {
  list: FilteredList;
  filter: NounFilter;
  state: Pick<ListState<string>, "filters">;
  isLinked?: true | undefined;
}

function ChipText(props: ChipTextProps) {
  return (
    <span className="chip-text">
      <FilterText {...props} />
    </span>
  );
}

/** The title and the value of a filter. */
export function FilterText(props: ChipTextProps) {
  return (
    <>
      <span className="muted">{titleOfFacet(props.filter)}</span> {shownValue(props)}
    </>
  );
}

function shownValue({ list, filter, state, isLinked }: ChipTextProps): ReactNode {
  const { kind, of = "", options } = filter;
  const value = state.filters[filter.name] ?? "";
  if (kind === "time") return timeText(state);
  if (options && Object.hasOwn(options, value)) return options[value];
  if (kind === "choice" || kind === "several") return <ChosenTexts filter={filter} value={value} />;
  if (kind === "text") return <NamedValue {...{ list, filter, value }} />;
  if (kind !== "id") return value;
  return isLinked ? <NounLink to={of} id={value} /> : <ObjectName noun={of} id={value} />;
}

function timeText({ filters: { from, to } }: ChipTextProps["state"]): string {
  const { choices, since, until } = texts.timeRange;
  if (to === undefined && from !== undefined && isTimeSpan(from)) return choices[from];
  const [start, end] = [from, to].map((at) => at && shownTime(at));
  if (start && end) return `${start} – ${end}`;
  return start ? since({ time: start }) : until({ time: end ?? "" });
}

/** Everything but a time, such as `6h`, is shown as it is. */
function shownTime(at: string): string {
  const time = parseTime(at);
  return time === null ? at : dateAndTime(time);
}
