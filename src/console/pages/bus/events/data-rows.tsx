// The conditions on an event's data: at each place, the value that must stand there.

import { Plus, X } from "lucide-react";
import { issueOf } from "../../../client/api-error.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Field } from "../../../fields/field.tsx";
import { texts } from "../../../texts/index.ts";
import { type DataRow, type DraftPart, nextKey } from "../routes/route-draft.ts";

const words = texts.busRoutes;

export function DataRows({ draft: { data }, onChange, error, problems }: DraftPart) {
  const issue = issueOf(error, "match.data");
  const change = (row: DataRow, to: Partial<DataRow>) =>
    onChange({ data: data.map((each) => (each === row ? { ...row, ...to } : each)) });
  return (
    <fieldset className="bus-rows">
      <legend>{words.data}</legend>
      <p className="muted small">{words.dataHint}</p>
      {issue && <p className="field-error small">{issue}</p>}
      {data.map((row, index) => (
        <fieldset key={row.key} className="bus-row" aria-label={words.condition(index + 1)}>
          <Field label={words.pointer}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                placeholder={words.pointerHint}
                value={row.pointer}
                onChange={(event) => change(row, { pointer: event.target.value })}
              />
            )}
          </Field>
          <Field label={words.value} error={problems.get(`data.${row.key}`)}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                placeholder={words.valueHint}
                value={row.value}
                onChange={(event) => change(row, { value: event.target.value })}
              />
            )}
          </Field>
          <IconButton
            label={words.removeCondition(index + 1)}
            icon={<X />}
            onClick={() => onChange({ data: data.filter((each) => each !== row) })}
          />
        </fieldset>
      ))}
      <Button
        icon={<Plus />}
        onClick={() =>
          onChange({ data: [...data, { key: nextKey(data), pointer: "", value: "" }] })
        }
      >
        {words.addCondition}
      </Button>
    </fieldset>
  );
}
