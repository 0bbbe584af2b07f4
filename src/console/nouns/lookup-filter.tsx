// A filter by an object of another noun. The URL contains the id, but the field shows the name.

import { useEffect, useEffectEvent, useState } from "react";
import type { NounFilter } from "../../api/contract/noun.ts";
import { usePage } from "../client/queries.ts";
import { TextField } from "../fields/inputs.tsx";
import type { ListState } from "../lists/list-state.ts";
import { texts } from "../texts/index.ts";
import { useOne } from "./noun-link.tsx";
import { labelOf, nounNamed, type Row, titleOf } from "./nouns.ts";

const offered = 50;

export interface LookupFilterProps {
  filter: NounFilter;
  state: ListState<string>;
}

export function LookupFilter({ filter, state }: LookupFilterProps) {
  const noun = nounNamed(filter.of ?? "");
  const id = state.filters[filter.name] ?? "";
  const [draft, setDraft] = useState<string | null>(null);
  const chosen = useOne(noun.noun, id);
  const wanted = draft?.trim();
  const q = noun.searches && wanted ? { q: wanted } : {};
  const found = usePage(
    `${noun.noun}.list` as "agents.list",
    { query: { pageSize: offered, ...q } },
    { enabled: draft !== null },
  );
  const options = (found.data?.data ?? []) as unknown as Row[];
  const named = options.find((row) => titleOf(noun, row) === wanted);
  const name = chosen.data ? titleOf(noun, chosen.data) : id;
  // While the field has another text, the list is not filtered by the earlier choice.
  const isKept = wanted === undefined || wanted === name || wanted === id;
  const match = named?.id ?? (isKept ? id : "");
  const apply = useEffectEvent(() => {
    if (match !== id) state.setFilter(filter.name, match);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each match
  useEffect(() => apply(), [match]);
  const isUnknown = wanted && found.isSuccess && !found.isFetching && options.length === 0;
  return (
    <TextField
      label={labelOf(filter)}
      error={isUnknown ? texts.nouns.unknown({ one: noun.one }) : null}
      type="search"
      placeholder={texts.words.any}
      suggestions={options.map((row) => <option key={row.id} value={titleOf(noun, row)} />)}
      value={draft ?? (id && name)}
      onFocus={(event) => setDraft(event.target.value)}
      onChange={setDraft}
      onBlur={() => setDraft(null)}
    />
  );
}
