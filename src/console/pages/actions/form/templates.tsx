// How the parts of the form are put together: fields, objects, lists, choices, and what no form can show.

import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  canExpand,
  type ErrorListProps,
  type FieldTemplateProps,
  getSchemaType,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { texts } from "../../../texts/index.ts";
import { labelOf } from "./field-labels.ts";
import { hintsOf, noteIds } from "./field-notes.ts";

const words = texts.schemaForm;

const maxLines = 20;

export function FieldTemplate(props: FieldTemplateProps) {
  const { id, schema, label, rawErrors = [], displayLabel, required, children } = props;
  if (props.hidden) return null;
  const type = getSchemaType(schema);
  const isSimple = displayLabel || type === "boolean";
  if (!isSimple) {
    return (
      <>
        {children}
        {!schema.oneOf && !schema.anyOf && <Errors id={id} errors={rawErrors} />}
      </>
    );
  }
  const isGroup = type === "array";
  return (
    <Additional {...props}>
      <div className="field">
        {displayLabel &&
          (isGroup ? (
            <span className="form-label">{label}</span>
          ) : (
            <label htmlFor={id}>
              {label}
              {required && <span className="muted small"> {texts.words.required}</span>}
            </label>
          ))}
        {children}
        <Hints id={id} hints={hintsOf(schema)} />
        <Errors id={id} errors={rawErrors} />
      </div>
    </Additional>
  );
}

/** A field that is not in the schema: its name can be written, and it can be taken away. */
function Additional({ children, ...props }: FieldTemplateProps & { children: ReactNode }) {
  const { id, schema, label, disabled, readonly } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return children;
  return (
    <div className="form-additional">
      <div className="field">
        <label htmlFor={`${id}-key`}>{words.keyOf(label)}</label>
        <input
          id={`${id}-key`}
          className="control"
          defaultValue={label}
          disabled={disabled || readonly}
          onBlur={props.onKeyRenameBlur}
        />
      </div>
      {children}
      <IconButton label={words.remove(label)} icon={<X />} onClick={props.onRemoveProperty} />
    </div>
  );
}

export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { fieldPathId, title, schema, properties, formData, uiSchema } = props;
  const isRoot = fieldPathId.path.length === 0;
  const mayAdd = canExpand(schema, uiSchema, formData) && !props.readonly && !props.disabled;
  const name = title || words.fields;
  if (properties.length === 0 && !mayAdd) return null;
  const content = (
    <>
      <Hints id={fieldPathId.$id} hints={hintsOf(schema)} />
      {properties.map(({ content }) => content)}
      {mayAdd && (
        <Button icon={<Plus />} onClick={props.onAddProperty}>
          {words.addProperty(isRoot ? words.payload : name)}
        </Button>
      )}
    </>
  );
  if (isRoot) return <div className="form-root">{content}</div>;
  return (
    <fieldset className="form-group">
      <legend>{name}</legend>
      {content}
    </fieldset>
  );
}

export function ArrayFieldTemplate(props: ArrayFieldTemplateProps) {
  const { fieldPathId, title, schema, items, canAdd, readonly, disabled, required } = props;
  const name = title || words.items;
  const list = useRef<HTMLDivElement>(null);
  const isAdding = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the item that was added is there
  useEffect(() => {
    if (isAdding.current) focusFirstControl(list.current?.lastElementChild);
    isAdding.current = false;
  }, [items.length]);
  return (
    <fieldset className="form-group">
      <legend>
        {name}
        {required && <span className="muted small"> {texts.words.required}</span>}
      </legend>
      <Hints id={fieldPathId.$id} hints={hintsOf(schema)} />
      <div ref={list} className="form-items" hidden={items.length === 0}>
        {items}
      </div>
      {canAdd && !readonly && !disabled && (
        <Button
          icon={<Plus />}
          onClick={(event) => {
            isAdding.current = true;
            props.onAddClick(event);
          }}
        >
          {words.add(name)}
        </Button>
      )}
    </fieldset>
  );
}

export function ArrayFieldItemTemplate(props: ArrayFieldItemTemplateProps) {
  const { children, buttonsProps, index, readonly, disabled } = props;
  const { hasMoveUp, hasMoveDown, hasRemove } = buttonsProps;
  const name = words.item(words.itemWord, index + 1);
  const mayChange = !readonly && !disabled;
  return (
    <div className="form-item">
      <div>{children}</div>
      {mayChange && (
        <div className="form-item-actions">
          {(hasMoveUp || hasMoveDown) && (
            <>
              <IconButton
                label={words.moveUp(name)}
                icon={<ArrowUp />}
                disabled={!hasMoveUp}
                onClick={buttonsProps.onMoveUpItem}
              />
              <IconButton
                label={words.moveDown(name)}
                icon={<ArrowDown />}
                disabled={!hasMoveDown}
                onClick={buttonsProps.onMoveDownItem}
              />
            </>
          )}
          {hasRemove && (
            <IconButton
              label={words.remove(name)}
              icon={<X />}
              onClick={buttonsProps.onRemoveItem}
            />
          )}
        </div>
      )}
    </div>
  );
}

export function MultiSchemaFieldTemplate({
  selector,
  optionSchemaField,
}: MultiSchemaFieldTemplateProps) {
  return (
    <div className="form-choice">
      {selector}
      {optionSchemaField}
    </div>
  );
}

/** All that is wrong, also where no field shows it. */
export function ErrorListTemplate({ errors, schema }: ErrorListProps) {
  const lines = errors.map(({ property = "", message }) =>
    [labelOf(property, schema as JsonObject), message].filter(Boolean).join(": "),
  );
  return (
    <div className="row failure" role="alert">
      <div>
        <p>{words.wrong}</p>
        <ul>
          {[...new Set(lines)].slice(0, maxLines).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

export function UnsupportedFieldTemplate() {
  return <p className="muted small">{words.jsonOnly}</p>;
}

function focusFirstControl(within: Element | null | undefined): void {
  within?.querySelector<HTMLElement>("input, select, textarea")?.focus();
}

function Hints({ id, hints }: { id: string; hints: string[] }) {
  if (hints.length === 0) return null;
  return (
    <p id={noteIds.hint(id)} className="muted small">
      {hints.join(" ")}
    </p>
  );
}

function Errors({ id, errors }: { id: string; errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <p id={noteIds.error(id)} className="field-error small">
      {errors.join(" ")}
    </p>
  );
}
