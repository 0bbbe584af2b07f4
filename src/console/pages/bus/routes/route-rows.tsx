// The lists of rows in a route's form: the conditions on an event's data, and the payload fields.

import { Plus, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { issueOf } from "../../../client/api-error.ts";
import { Button, IconButton } from "../../../components/buttons/button.tsx";
import { firstControl, useFocusLater } from "../../../components/focus/use-focus-later.ts";
import { fieldsOf } from "../../../fields/draft.ts";
import { ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { optionsOf } from "../../../fields/options.ts";
import { RadioField } from "../../../fields/radio-field.tsx";
import { texts } from "../../../texts/index.ts";
import type { Message } from "../../../texts/messages.ts";
import { type DraftPart, wholeEvent } from "./route-draft.ts";

const words = texts.busRoutes;

export function DataRows({ draft: { data }, onChange, error, problems }: DraftPart) {
  return (
    <fieldset className="bus-rows">
      <legend>{words.data}</legend>
      <Rows
        hint={words.dataHint}
        error={issueOf(error, "match.data")}
        rows={data}
        onChange={(rows) => onChange({ data: rows })}
        empty={{ pointer: "", value: "" }}
        label={words.condition}
        remove={words.removeCondition}
        add={words.addCondition}
      >
        {({ key }, field) => (
          <>
            <TextField
              label={words.pointer}
              placeholder={words.pointerHint}
              {...field("pointer")}
            />
            <TextField
              label={words.value}
              placeholder={words.valueHint}
              {...field("value")}
              error={problems.get(`data.${key}`)}
            />
          </>
        )}
      </Rows>
    </fieldset>
  );
}

export function PayloadFields(part: DraftPart) {
  const { isWholeEvent } = part.draft;
  return (
    <>
      <RadioField
        legend={words.payload}
        isLegendHidden
        value={isWholeEvent ? "event" : "fields"}
        options={[
          ["event", wholeEvent],
          ["fields", words.fields],
        ]}
        onChange={(value) => part.onChange({ isWholeEvent: value === "event" })}
      />
      {!isWholeEvent && <PayloadRows {...part} />}
    </>
  );
}

function PayloadRows({ draft: { payload }, onChange, error, problems }: DraftPart) {
  return (
    <div className="bus-rows">
      <Rows
        hint={words.fieldsHint}
        error={issueOf(error, "payload")}
        rows={payload}
        onChange={(rows) => onChange({ payload: rows })}
        empty={{ field: "", kind: "pointer", from: "" }}
        label={words.fieldAt}
        remove={words.removeField}
        add={words.addField}
      >
        {({ key, field: name, kind }, field) => (
          <>
            <TextField label={words.field} {...field("field")} />
            <ChoiceField label={words.kind} options={optionsOf(words.kinds)} {...field("kind")} />
            <TextField
              label={words.from[kind]}
              placeholder={words.fromHint[kind]}
              {...field("from")}
              error={problems.get(`payload.${key}`) ?? issueOf(error, `payload.${name}`)}
            />
          </>
        )}
      </Rows>
    </div>
  );
}

interface RowsProps<R extends { key: number }> {
  hint: string;
  error: string | null;
  rows: readonly R[];
  onChange: (rows: R[]) => void;
  empty: Omit<R, "key">;
  label: Message<"place">;
  remove: Message<"place">;
  add: string;
  children: (row: R, field: ReturnType<typeof fieldsOf<R>>) => ReactNode;
}

function Rows<R extends { key: number }>(props: RowsProps<R>) {
  const { hint, error, rows, onChange, empty, label, remove, add, children } = props;
  const unusedKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1;
  const adder = useRef<HTMLButtonElement>(null);
  const focusLater = useFocusLater();
  const removeAt = (index: number) => {
    focusLater(() => {
      const left = adder.current?.parentElement?.querySelectorAll(":scope > .bus-row") ?? [];
      return left[Math.min(index, left.length - 1)]?.lastElementChild ?? adder.current;
    });
    onChange(rows.toSpliced(index, 1));
  };
  return (
    <>
      <p className="muted small">{hint}</p>
      {error && <p className="field-error small">{error}</p>}
      {rows.map((row, index) => (
        <fieldset key={row.key} className="row bus-row" aria-label={label({ place: index + 1 })}>
          {children(
            row,
            fieldsOf(row, (to) => onChange(rows.with(index, { ...row, ...to }))),
          )}
          <IconButton
            label={remove({ place: index + 1 })}
            icon={<X />}
            onClick={() => removeAt(index)}
          />
        </fieldset>
      ))}
      <Button
        ref={adder}
        icon={<Plus />}
        onClick={() => {
          focusLater(() => firstControl(adder.current?.previousElementSibling));
          onChange([...rows, { ...empty, key: unusedKey } as R]);
        }}
      >
        {add}
      </Button>
    </>
  );
}
