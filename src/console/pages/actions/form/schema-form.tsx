// The form that is generated from an action's schema.

import { useEffect, useRef, useState } from "react";
import type { Field, FieldOf } from "../../../../domain/form/form.ts";
import type { Path } from "../../../../domain/form/places.ts";
import { type Chosen, type Problem, problemsOf } from "../../../../domain/form/problems.ts";
import { completed, withDefaults } from "../../../../domain/form/values.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { jsonEqual } from "../../../../lib/json/json-equal.ts";
import { findUnfinished } from "../../../fields/unfinished.ts";
import { texts } from "../../../texts/index.ts";
import { ChooseOption, GroupFields, Issues } from "./field-view.tsx";
import { type FieldIssue, issueOf, labelAt } from "./form-words.ts";
import "./schema-form.css";

const words = texts.schemaForm;

const maxLines = 20;

export interface SchemaFormProps {
  /** The id of the form element, so that a button outside the form can submit it. */
  id: string;
  root: FieldOf<"group">;
  payload: JsonObject;
  /** The errors that the server reported. */
  issues: readonly FieldIssue[];
  /**
   * `areDefaults` is true if the user has changed nothing: the form was just shown, and completes
   * the payload with its default values.
   */
  onChange: (payload: JsonObject, areDefaults?: true) => void;
  /** Called only with a payload that has no known errors. */
  onSubmit: (payload: JsonObject) => void;
  /** Called instead of `onSubmit` if the payload has errors. */
  onRefused?: (() => void) | undefined;
}

export function SchemaForm(props: SchemaFormProps) {
  const { id, root, payload, issues, onChange, onSubmit, onRefused } = props;
  const frame = useRef<HTMLFormElement>(null);
  /** The problems found at the last submission. */
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const change = (next: Json | undefined, areDefaults?: true) => {
    const whole = completed(root, next ?? {});
    if (isJsonObject(whole) && !jsonEqual(whole, payload)) onChange(whole, areDefaults);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is opened
  useEffect(() => change(withDefaults(root, payload), true), []);
  useEffect(() => {
    if (issues.length > 0) focusFirstWrong(frame.current);
  }, [issues]);
  /** The options that the user chose. When the form is read again, schemas are the same objects. */
  const [chosen] = useState(() => new Set<{ at: string; schema: Json }>());
  const chooseOption = (path: Path, { schema }: Field) => {
    const choice = { at: path.join("\n"), schema };
    chosen.add(choice);
    return () => void chosen.delete(choice);
  };
  const chosenAt: Chosen = (path, options) => {
    const choices = [...chosen].filter(({ at }) => at === path.join("\n"));
    return options.find((option) => choices.some(({ schema }) => schema === option.schema));
  };
  const left = problems.length === 0 ? [] : problemsOf(root, payload, [], chosenAt);
  const shown = [
    ...problems.filter((problem) => left.some((each) => jsonEqual(each, problem))).map(issueOf),
    ...issues,
  ];
  const submit = () => {
    const unfinished = findUnfinished(frame.current);
    const whole = completed(root, payload) as JsonObject;
    const found = problemsOf(root, whole, [], chosenAt);
    setProblems(found);
    unfinished?.focus();
    if (unfinished || found.length > 0) onRefused?.();
    else onSubmit(whole);
  };
  return (
    <form
      ref={frame}
      id={id}
      className="schema-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Issues value={shown}>
        <ChooseOption value={chooseOption}>
          <GroupFields field={root} label="" path={[]} value={payload} onChange={change} />
        </ChooseOption>
      </Issues>
      {shown.length > 0 && <IssueList root={root} issues={shown} />}
    </form>
  );
}

/** Lists at most `maxLines` errors, including those that no field shows. */
function IssueList({ root, issues }: { root: FieldOf<"group">; issues: readonly FieldIssue[] }) {
  const lines = issues.map(({ path, message }) =>
    [labelAt(root, path), message].filter(Boolean).join(texts.words.colon),
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

function focusFirstWrong(frame: HTMLElement | null): void {
  frame?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}
