// The layout of fields, objects, lists and choices in the form.

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
import { labelOf } from "./field-notes.ts";
import { Errors, Hints, Required } from "./widgets.tsx";

const words = texts.schemaForm;

const maxLines = 20;

export function FieldTemplate(props: FieldTemplateProps) {
  const { id, schema, label, rawErrors = [], displayLabel, required, children } = props;
  if (props.hidden) return null;
  const type = getSchemaType(schema);
  if (!displayLabel && type !== "boolean") {
    return (
      <>
        {children}
        {!schema.oneOf && !schema.anyOf && <Errors id={id} errors={rawErrors} />}
      </>
    );
  }
  return (
    <Additional {...props}>
      <div className="field tight">
        {displayLabel &&
          (type === "array" ? (
            <span className="form-label">{label}</span>
          ) : (
            <label htmlFor={id}>
              {label}
              {required && <Required />}
            </label>
          ))}
        {children}
        <Hints id={id} schema={schema} />
        <Errors id={id} errors={rawErrors} />
      </div>
    </Additional>
  );
}

/** A field that the schema does not name. The user can rename and remove it. */
function Additional({ children, ...props }: FieldTemplateProps & { children: ReactNode }) {
  const { id, schema, label, disabled, readonly } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return children;
  return (
    <div className="form-additional">
      <div className="field tight">
        <label htmlFor={`${id}-key`}>{words.keyOf({ name: label })}</label>
        <input
          id={`${id}-key`}
          className="control"
          defaultValue={label}
          disabled={disabled || readonly}
          onBlur={props.onKeyRenameBlur}
        />
      </div>
      {children}
      <IconButton
        label={words.remove({ what: label })}
        icon={<X />}
        onClick={props.onRemoveProperty}
      />
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
      <Hints id={fieldPathId.$id} schema={schema} />
      {properties.map(({ content }) => content)}
      {mayAdd && (
        <Button icon={<Plus />} onClick={props.onAddProperty}>
          {words.addProperty({ what: isRoot ? texts.words.payload : name })}
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the added item has appeared
  useEffect(() => {
    if (isAdding.current) focusFirstControl(list.current?.lastElementChild);
    isAdding.current = false;
  }, [items.length]);
  return (
    <fieldset className="form-group">
      <legend>
        {name}
        {required && <Required />}
      </legend>
      <Hints id={fieldPathId.$id} schema={schema} />
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
          {words.add({ what: name })}
        </Button>
      )}
    </fieldset>
  );
}

export function ArrayFieldItemTemplate(props: ArrayFieldItemTemplateProps) {
  const { children, buttonsProps, index, readonly, disabled } = props;
  const { hasMoveUp, hasMoveDown, hasRemove, ...on } = buttonsProps;
  const { moveUp, moveDown, remove, item, itemWord } = words;
  const name = item({ list: itemWord, number: index + 1 });
  const up = { label: moveUp({ what: name }), icon: <ArrowUp /> };
  const down = { label: moveDown({ what: name }), icon: <ArrowDown /> };
  const canMove = hasMoveUp || hasMoveDown;
  const buttons = [
    canMove && { ...up, disabled: !hasMoveUp, onClick: on.onMoveUpItem },
    canMove && { ...down, disabled: !hasMoveDown, onClick: on.onMoveDownItem },
    hasRemove && { label: remove({ what: name }), icon: <X />, onClick: on.onRemoveItem },
  ];
  return (
    <div className="row form-item">
      <div>{children}</div>
      {!readonly && !disabled && (
        <div className="form-item-actions">
          {buttons.map((button) => button && <IconButton key={button.label} {...button} />)}
        </div>
      )}
    </div>
  );
}

export function MultiSchemaFieldTemplate(props: MultiSchemaFieldTemplateProps) {
  return (
    <div className="form-choice">
      {props.selector}
      {props.optionSchemaField}
    </div>
  );
}

/** Lists all errors, including those that no field shows. */
export function ErrorListTemplate({ errors, schema }: ErrorListProps) {
  const lines = errors.map(({ property = "", message }) =>
    [labelOf(property, schema as JsonObject), message].filter(Boolean).join(": "),
  );
  return (
    <div className="row failure tight" role="alert">
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
