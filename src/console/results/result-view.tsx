// Shows an output or a state from an agent. A structured result becomes a table or facts, with the
// actions that it offers. Any other value is shown by ValueView.

import { useMemo } from "react";
import type { Json } from "../../domain/payload/json.ts";
import { structuredResult } from "../../domain/results/structured-result.ts";
import { ValueView, WithJsonChoice } from "../values/value-view.tsx";
import { type OfferedBy, useOffers } from "./offers.tsx";
import { ResultDetail } from "./result-detail.tsx";
import { ResultTable } from "./result-table.tsx";
import "./results.css";

interface ResultViewProps {
  value: Json | undefined;
  label: string;
  /** If absent, the actions are not shown. */
  by?: OfferedBy | undefined;
}

export function ResultView({ value, label, by }: ResultViewProps) {
  const result = useMemo(() => structuredResult(value), [value]);
  const offers = useOffers(result, by);
  if (!result) return <ValueView value={value} label={label} />;
  const { list, detail, rest } = result;
  return (
    <WithJsonChoice kind={list ? "table" : "object"} value={value} label={label}>
      {Object.keys(rest).length > 0 && <ValueView value={rest} label={label} isPart />}
      {detail && <ResultDetail detail={detail} offers={offers} />}
      {list && <ResultTable list={list} label={label} offers={offers} />}
    </WithJsonChoice>
  );
}
