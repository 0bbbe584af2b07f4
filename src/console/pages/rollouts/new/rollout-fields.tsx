// The fields of a rollout, for its own form and for the form of a schedule.

import { useRef, useState } from "react";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { Section } from "../../../components/page.tsx";
import { fieldsOf, useDraft } from "../../../fields/draft.ts";
import { TextField } from "../../../fields/inputs.tsx";
import { findUnfinished } from "../../../fields/unfinished.ts";
import { useSettledText } from "../../../fields/use-delayed-text.ts";
import { texts } from "../../../texts/index.ts";
import { PayloadPart } from "../../actions/payload-part.tsx";
import { ChoiceFields } from "./choice-fields.tsx";
import { useAction, useActions, useSample } from "./chosen-services.ts";
import type { RolloutDraft } from "./rollout-draft.ts";
import { RuleFields } from "./rule-fields.tsx";

const words = texts.rollouts.form;

interface Options {
  first: RolloutDraft;
  /** The payload of the action in `first`. */
  firstPayload?: JsonObject;
  /** The codes of the services that a list found. If not null, they replace any other choice. */
  found: readonly string[] | null;
}

type RolloutFieldsState = ReturnType<typeof useRolloutFields>;

/** Keeps the user's input, and finds the action to which the payload belongs. */
export function useRolloutFields({ first, firstPayload = {}, found }: Options) {
  const [draft, change] = useDraft(first);
  const [written, setWritten] = useState({ of: first.action, payload: firstPayload });
  const sample = useSample(draft, found);
  const actions = useActions(sample);
  const settledName = useSettledText(draft.action.trim());
  const search = useAction(sample, settledName);
  const action = search.data;
  const isLooking = settledName !== draft.action.trim() || search.isLoading;
  return {
    draft,
    change,
    found,
    actions,
    /** Undefined until the search for the action has finished; null if the sample lacks it. */
    action,
    /** Whether the search for the action has finished. */
    isKnown: settledName !== "" && action !== undefined && !isLooking,
    isLooking,
    // The payload of another action does not apply, because its fields differ.
    payload: written.of === settledName ? written.payload : {},
    write: (payload: JsonObject) => setWritten({ of: settledName, payload }),
  };
}

interface RolloutFieldsProps {
  /** The id of the form element that submits. */
  form: string;
  fields: RolloutFieldsState;
  error: unknown;
  /** Whether to show which fields must be corrected before the form can be sent. */
  isFixing: boolean;
  /** `areDefaults` as in `SchemaFormProps`. */
  onChange: (areDefaults?: true) => void;
  /** As in `PayloadPart`. */
  onLooking: (isLooking: boolean) => void;
  onSubmit: (payload: JsonObject) => void;
  /** Called instead of `onSubmit` if the payload has errors or a number is incomplete. */
  onRefused: () => void;
}

export function RolloutFields(props: RolloutFieldsProps) {
  const { form, fields, error, isFixing, onChange, onLooking, onSubmit, onRefused } = props;
  const { draft, change, found, actions, action, payload, write, isKnown, isLooking } = fields;
  const changed = (to: Partial<RolloutDraft>) => {
    change(to);
    onChange();
  };
  const field = fieldsOf(draft, changed, error);
  const whole = useRef<HTMLDivElement>(null);
  const submit = (sent: JsonObject | null) => {
    if (sent !== null && isKnown) write(sent);
    const unfinished = findUnfinished(whole.current);
    unfinished?.focus();
    if (sent === null || unfinished) onRefused();
    else onSubmit(sent);
  };
  return (
    <div ref={whole} className="rollout-form">
      <div>
        <Section title={words.choice} card>
          <ChoiceFields found={found} field={field} />
        </Section>
        <Section title={words.work} card>
          <TextField
            {...field("action")}
            label={words.action}
            hint={words.actionHint}
            required
            suggestions={actions.map(({ name, label }) => (
              <option key={name} value={name} label={label} />
            ))}
          />
          <PayloadPart
            key={action?.name}
            form={form}
            isKnown={isKnown}
            isLooking={isLooking}
            onLooking={onLooking}
            schema={action?.inputSchema ?? {}}
            payload={payload}
            onChange={(next, areDefaults) => {
              write(next);
              onChange(areDefaults);
            }}
            onSubmit={submit}
            onRefused={() => submit(null)}
          />
          <TextField
            label={texts.actions.reason}
            hint={texts.actions.reasonHint}
            {...field("reason")}
          />
          <TextField label={words.name} hint={words.nameHint} {...field("name")} />
        </Section>
      </div>
      <Section title={words.rules} card>
        <RuleFields draft={draft} field={field} error={error} isFixing={isFixing} />
      </Section>
    </div>
  );
}
