// What a route's command is given: the whole event, or fields that come from it or are always the same.

import { Plus, X } from "lucide-react";
import { useId } from "react";
import { issueOf } from "../../../client/api-error.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Field } from "../../../fields/field.tsx";
import { texts } from "../../../texts/index.ts";
import { type DraftPart, nextKey, type PayloadRow } from "../routes/route-draft.ts";

const words = texts.busRoutes;

export function PayloadFields(part: DraftPart) {
  const { draft, onChange } = part;
  const name = useId();
  return (
    <fieldset className="bus-choice">
      <legend className="visually-hidden">{words.payload}</legend>
      <label>
        <input
          type="radio"
          name={name}
          checked={draft.isWholeEvent}
          onChange={() => onChange({ isWholeEvent: true })}
        />
        {words.wholeEvent}
      </label>
      <label>
        <input
          type="radio"
          name={name}
          checked={!draft.isWholeEvent}
          onChange={() => onChange({ isWholeEvent: false })}
        />
        {words.fields}
      </label>
      {!draft.isWholeEvent && <PayloadRows {...part} />}
    </fieldset>
  );
}

function PayloadRows({ draft: { payload }, onChange, error, problems }: DraftPart) {
  const issue = issueOf(error, "payload");
  const empty: PayloadRow = { key: nextKey(payload), field: "", kind: "pointer", from: "" };
  return (
    <div className="bus-rows">
      <p className="muted small">{words.fieldsHint}</p>
      {issue && <p className="field-error small">{issue}</p>}
      {payload.map((row, index) => (
        <OneField
          key={row.key}
          row={row}
          place={index + 1}
          problem={problems.get(`payload.${row.key}`) ?? issueOf(error, `payload.${row.field}`)}
          onChange={(to) =>
            onChange({ payload: payload.map((each) => (each === row ? { ...row, ...to } : each)) })
          }
          onRemove={() => onChange({ payload: payload.filter((each) => each !== row) })}
        />
      ))}
      <Button icon={<Plus />} onClick={() => onChange({ payload: [...payload, empty] })}>
        {words.addField}
      </Button>
    </div>
  );
}

interface OneFieldProps {
  row: PayloadRow;
  place: number;
  problem: string | null;
  onChange: (to: Partial<PayloadRow>) => void;
  onRemove: () => void;
}

function OneField({ row, place, problem, onChange, onRemove }: OneFieldProps) {
  return (
    <fieldset className="bus-row" aria-label={words.fieldAt(place)}>
      <Field label={words.field}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            value={row.field}
            onChange={(event) => onChange({ field: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.kind}>
        {(control) => (
          <select
            {...control}
            value={row.kind}
            onChange={(event) => onChange({ kind: event.target.value as PayloadRow["kind"] })}
          >
            <option value="pointer">{words.kinds.pointer}</option>
            <option value="constant">{words.kinds.constant}</option>
          </select>
        )}
      </Field>
      <Field label={words.from[row.kind]} error={problem}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            placeholder={words.fromHint[row.kind]}
            value={row.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
        )}
      </Field>
      <IconButton label={words.removeField(place)} icon={<X />} onClick={onRemove} />
    </fieldset>
  );
}
