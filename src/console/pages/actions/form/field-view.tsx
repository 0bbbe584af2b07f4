// Draws the fields of a form: values, objects, lists and alternatives.

import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { type Field, type FieldOf, isGroup, limitOf } from "../../../../domain/form/form.ts";
import type { Path } from "../../../../domain/form/places.ts";
import { optionFor } from "../../../../domain/form/problems.ts";
import { changedTo, newValue, withDefaults } from "../../../../domain/form/values.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { jsonEqual } from "../../../../lib/json/json-equal.ts";
import { Button, IconButton } from "../../../components/buttons/button.tsx";
import { firstControl, useFocusLater } from "../../../components/focus/use-focus-later.ts";
import { Field as LabelledField } from "../../../fields/field.tsx";
import { sentences } from "../../../format/sentences.ts";
import { texts } from "../../../texts/index.ts";
import { ValueControl } from "./controls.tsx";
import { choiceLabel, type FieldIssue, hintOf, itemLabel, labelOf } from "./form-words.ts";
import { useItemIds } from "./item-ids.ts";

const words = texts.schemaForm;

/** The errors that the fields show. */
export const Issues = createContext<readonly FieldIssue[]>([]);

/**
 * Tells the form which option the user has chosen at a path. Returns a function that undoes this.
 */
export const ChooseOption = createContext<(path: Path, option: Field) => () => void>(
  () => () => undefined,
);

interface ViewProps<F extends Field = Field> {
  field: F;
  label: string;
  path: Path;
  value: Json | undefined;
  /** Called with undefined to remove the value. */
  onChange: (value: Json | undefined) => void;
}

function FieldView({ field, ...props }: ViewProps) {
  const error = useError(props.path);
  switch (field.kind) {
    case "group":
      return (
        <Frame {...props} field={field} label={props.label || words.fields}>
          <GroupFields {...props} field={field} />
        </Frame>
      );
    case "list":
      return <List {...props} field={field} />;
    case "choices":
      return <Checkboxes {...props} field={field} />;
    case "variants":
      return <Options {...props} options={field.options} />;
    default:
      return <ValueControl {...props} field={field} error={error} />;
  }
}

function useError(path: Path): string | null {
  const at = path.join("\n");
  const found = useContext(Issues).filter((issue) => issue.path.join("\n") === at);
  return sentences(found.map(({ message }) => message)) || null;
}

/** Several controls under one label. */
function Frame({ field, label, path, children }: ViewProps & { children: ReactNode }) {
  const id = useId();
  const found = useError(path);
  // If there are alternatives, the control that chooses between them shows the error.
  const error = isGroup(field) && field.options.length > 0 ? null : found;
  const hint = hintOf(field);
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset className="form-group" aria-describedby={notes || undefined}>
      <legend>
        {label}
        {field.required && field.kind !== "group" && (
          <span className="muted small"> {texts.words.required}</span>
        )}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className="muted small">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${id}-error`} className="field-error small">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The fields of an object, without a frame. */
export function GroupFields({ field, label, path, value, onChange }: ViewProps<FieldOf<"group">>) {
  const object = isJsonObject(value) ? value : {};
  const put = (key: string, next: Json | undefined) => {
    const { [key]: _, ...rest } = object;
    if (next === undefined) onChange(rest);
    else if (isJsonObject(value)) onChange({ ...object, [key]: next });
    // The first value of an optional object adds the defaults of its other fields.
    else onChange(withDefaults(field, { [key]: next }));
  };
  const at = (part: Field) => ({
    field: part,
    label: labelOf(part),
    path: [...path, part.key],
    value: Object.hasOwn(object, part.key) ? object[part.key] : undefined,
    onChange: (next: Json | undefined) => put(part.key, next),
  });
  const { other } = field;
  const adder = useRef<HTMLButtonElement>(null);
  const focusLater = useFocusLater();
  const otherIds = useItemIds(field.others.length);
  return (
    <>
      {field.parts.map((part) => (
        <FieldView key={part.key} {...at(part)} />
      ))}
      {field.options.length > 0 && (
        <Options options={field.options} {...{ label, path, value, onChange }} />
      )}
      {field.others.map((part, index) => (
        <div key={otherIds.ids[index]} className="form-additional">
          <KeyField of={part.key} onRename={(to) => onChange(renamed(object, part.key, to))} />
          <FieldView {...at(part)} onChange={(next) => put(part.key, next ?? null)} />
          <IconButton
            label={words.remove({ what: part.key })}
            icon={<X />}
            onClick={() => {
              focusLater(() => adder.current);
              otherIds.remove(index);
              put(part.key, undefined);
            }}
          />
        </div>
      ))}
      {other && !field.readOnly && (
        <Button
          ref={adder}
          icon={<Plus />}
          onClick={() => {
            focusLater(() => firstControl(adder.current?.previousElementSibling));
            put(newKey(object), newValue(other));
          }}
        >
          {words.addProperty({ what: label || texts.words.payload })}
        </Button>
      )}
    </>
  );
}

function KeyField({ of, onRename }: { of: string; onRename: (to: string) => void }) {
  return (
    <LabelledField label={words.keyOf({ name: of })}>
      {(control) => (
        <input
          key={of}
          {...control}
          defaultValue={of}
          onBlur={({ target }) => onRename(target.value)}
        />
      )}
    </LabelledField>
  );
}

/** Renames a key in its place. A name that is empty or taken changes nothing. */
function renamed(object: JsonObject, from: string, to: string): JsonObject {
  if (to === "" || to === "__proto__" || Object.hasOwn(object, to)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
  );
}

function newKey(object: JsonObject): string {
  for (let number = 1; ; number++) {
    const key = `key${number}`;
    if (!Object.hasOwn(object, key)) return key;
  }
}

function List(props: ViewProps<FieldOf<"list">>) {
  const { field, label, path, value, onChange } = props;
  const name = label || words.items;
  const items = Array.isArray(value) ? value : [];
  const { readOnly } = field;
  const isFull = items.length >= (limitOf(field, "maxItems") ?? Infinity);
  const frame = useRef<HTMLDivElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const focusLater = useFocusLater();
  const itemIds = useItemIds(items.length);
  const put = (at: number, next: Json) => onChange(items.with(at, next));
  const swap = (at: number, to: number) => {
    itemIds.swap(at, to);
    focusLater(() => {
      const [up, down] =
        frame.current?.children[to]?.querySelectorAll<HTMLButtonElement>(
          ":scope > .form-item-actions > button",
        ) ?? [];
      return (to < at ? [up, down] : [down, up]).find((button) => !button?.disabled);
    });
    onChange(items.with(at, items[to] ?? null).with(to, items[at] ?? null));
  };
  const remove = (at: number) => {
    focusLater(() => {
      const row = frame.current?.children[Math.min(at, items.length - 2)];
      return row?.querySelector(":scope > .form-item-actions > :last-child") ?? adder.current;
    });
    itemIds.remove(at);
    onChange(items.toSpliced(at, 1));
  };
  return (
    <Frame {...props} label={name}>
      <div ref={frame} className="form-items" hidden={items.length === 0}>
        {items.map((item, index) => {
          const word = words.item({ list: words.itemWord, number: index + 1 });
          return (
            <div key={itemIds.ids[index]} className="row form-item">
              <div>
                <FieldView
                  field={field.items[index] ?? field.item}
                  label={itemLabel(name, index)}
                  path={[...path, String(index)]}
                  value={item}
                  onChange={(next) => put(index, next ?? null)}
                />
              </div>
              {!readOnly && (
                <div className="form-item-actions">
                  {items.length > 1 && (
                    <>
                      <IconButton
                        label={words.moveUp({ what: word })}
                        icon={<ArrowUp />}
                        disabled={index === 0}
                        onClick={() => swap(index, index - 1)}
                      />
                      <IconButton
                        label={words.moveDown({ what: word })}
                        icon={<ArrowDown />}
                        disabled={index === items.length - 1}
                        onClick={() => swap(index, index + 1)}
                      />
                    </>
                  )}
                  <IconButton
                    label={words.remove({ what: word })}
                    icon={<X />}
                    onClick={() => remove(index)}
                  />
                </div>
              )}
            </div>
          );
        })}
      </div>
      {!readOnly && !isFull && (
        <Button
          ref={adder}
          icon={<Plus />}
          onClick={() => {
            focusLater(() => firstControl(frame.current?.lastElementChild));
            onChange([...items, newValue(field.item)]);
          }}
        >
          {words.add({ what: name })}
        </Button>
      )}
    </Frame>
  );
}

function Checkboxes(props: ViewProps<FieldOf<"choices">>) {
  const { field, value, onChange } = props;
  const chosen = Array.isArray(value) ? value : [];
  const isChosen = (one: Json) => chosen.some((each) => jsonEqual(each, one));
  const toggle = (one: Json) => {
    const values = field.choices.map((choice) => choice.value);
    onChange(values.filter((each) => isChosen(each) !== jsonEqual(each, one)));
  };
  return (
    <Frame {...props}>
      {field.choices.map((choice) => (
        <label key={JSON.stringify(choice.value)} className="form-check">
          <input
            type="checkbox"
            checked={isChosen(choice.value)}
            disabled={field.readOnly}
            onChange={() => toggle(choice.value)}
          />
          {choiceLabel(choice)}
        </label>
      ))}
    </Frame>
  );
}

interface OptionsProps extends Omit<ViewProps, "field"> {
  options: readonly Field[];
}

/** A choice between alternatives, and the fields of the chosen one. */
function Options({ options, label, path, value, onChange }: OptionsProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const current = chosen ?? optionFor(options, value);
  const option = options[current];
  const error = useError(path);
  const register = useContext(ChooseOption);
  useEffect(() => (chosen !== null && option ? register(path, option) : undefined));
  const choose = (index: number) => {
    const next = options[index];
    setChosen(next ? index : null);
    if (next) onChange(changedTo(next, options, value));
  };
  const kind = label ? `${label}${texts.words.colon}${words.kind}` : words.kind;
  const inside = { label, path, value, onChange };
  return (
    <div className="form-choice">
      <LabelledField label={kind} error={option && !isGroup(option) ? null : error}>
        {(control) => (
          <select
            {...control}
            value={option ? current : -1}
            onChange={({ target }) => choose(Number(target.value))}
          >
            {!option && <option value={-1}>{words.choose}</option>}
            {options.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: options have no other identity
              <option key={index} value={index}>
                {each.title || words.option({ number: index + 1 })}
              </option>
            ))}
          </select>
        )}
      </LabelledField>
      {option && isGroup(option) && <GroupFields {...inside} field={option} />}
      {option && !isGroup(option) && <FieldView {...inside} field={option} />}
    </div>
  );
}
