// Shows an output or a state from an agent. A structured result becomes a table or facts, with the
// actions that it offers. Any other value is shown by ValueView.

import { useMemo, useState } from "react";
import type { Json } from "../../domain/payload/json.ts";
import { structuredResult } from "../../domain/results/structured-result.ts";
import { Segments } from "../components/segments.tsx";
import { texts } from "../texts/index.ts";
import { JsonView } from "../values/json-view.tsx";
import { ValueView } from "../values/value-view.tsx";
import { type OfferedBy, useOffers } from "./offers.tsx";
import { ResultDetail } from "./result-detail.tsx";
import { ResultTable } from "./result-table.tsx";
import "./results.css";

const words = texts.values;

interface ResultViewProps {
  value: Json | undefined;
  label: string;
  /** If absent, the actions are not shown. */
  by?: OfferedBy | undefined;
}

export function ResultView({ value, label, by }: ResultViewProps) {
  const result = useMemo(() => structuredResult(value), [value]);
  const [asJson, setAsJson] = useState(false);
  const offers = useOffers(result, by);
  if (!result) return <ValueView value={value} label={label} />;
  const { list, detail, rest } = result;
  return (
    <div className="stack value-view">
      <Segments
        label={words.view({ of: label })}
        choices={[
          ["shape", list ? words.kinds.table : words.kinds.object],
          ["json", words.json],
        ]}
        current={asJson ? "json" : "shape"}
        onChoose={(key) => setAsJson(key === "json")}
      />
      {asJson ? (
        <JsonView value={value} label={label} />
      ) : (
        <>
          {Object.keys(rest).length > 0 && <ValueView value={rest} label={label} isPart />}
          {detail && <ResultDetail detail={detail} offers={offers} />}
          {list && <ResultTable list={list} label={label} offers={offers} />}
        </>
      )}
    </div>
  );
}
