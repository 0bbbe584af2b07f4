// All saved views: the shared ones, and the user's own.

import { Link } from "react-router";
import { useMay } from "../../client/session.ts";
import { FilterText } from "../../nouns/filters/chips.tsx";
import { type FilteredList, isSet } from "../../nouns/filters/facets.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { findNoun, titleOfList } from "../../nouns/nouns.ts";
import { type View, viewAddress } from "../../nouns/views/view-address.ts";
import { texts } from "../../texts/index.ts";
import { auditList } from "../audit/audit-list.ts";

const cells = {
  name: (view: View) => <Link to={viewAddress(view)}>{view.name}</Link>,
  list: ({ noun }: View) => titleOfList(noun),
  query: ({ noun, query }: View) => {
    const list = noun === auditList.noun ? auditList : findNoun(noun);
    return list && <Filters list={list} query={query} />;
  },
};

function Filters({ list, query }: Pick<View, "query"> & { list: FilteredList }) {
  const state = { filters: query };
  // The text of the filter `from` contains the whole time range.
  const set = list.filters.filter((filter) => filter.name !== "to" && isSet(filter, state));
  return set.map((filter, at) => (
    <span key={filter.name}>
      {at > 0 && texts.words.comma}
      <FilterText list={list} filter={filter} state={state} isLinked />
    </span>
  ));
}

export function Component() {
  const mayShare = useMay("operator");
  return (
    <NounList
      noun="saved-views"
      cells={cells}
      acts={(view) =>
        (!view.shared || mayShare) && <NounActs noun="saved-views" row={view} inList />
      }
    />
  );
}
