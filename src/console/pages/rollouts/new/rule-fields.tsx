// The fields with the rules of a rollout.

import { offlineRules } from "../../../../domain/rollouts/rollouts.ts";
import { issueOf } from "../../../client/api-error.ts";
import { CheckField, ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { useUnfinished } from "../../../fields/unfinished.ts";
import { texts } from "../../../texts/index.ts";
import type { DraftField } from "./choice-fields.tsx";
import { betweens, isWholeNumber, type RolloutDraft } from "./rollout-draft.ts";

const words = texts.rollouts.form;
/** One field contains all waves. The server's issues name the wrong wave, such as `waves.1`. */
export const ofWaves = /^waves\b/;

interface RuleFieldsProps {
  draft: RolloutDraft;
  field: DraftField;
  error: unknown;
  /** Whether to show which fields must be corrected before the form can be sent. */
  isFixing: boolean;
}

export function RuleFields({ draft, field, error, isFixing }: RuleFieldsProps) {
  return (
    <>
      <TextField
        label={words.waves}
        hint={words.wavesHint}
        help="waves"
        {...field("waves")}
        error={issueOf(error, ofWaves)}
      />
      <TextField label={words.canary} hint={words.canaryHint} {...field("canary")} />
      <NumberField label={words.maxParallel} isFixing={isFixing} {...field("maxParallel")} />
      <TextField label={words.maxFailures} hint={words.maxFailuresHint} {...field("maxFailures")} />
      <ChoiceField
        label={words.between}
        {...field("between")}
        error={null}
        options={betweens.map((each) => [each, words.betweens[each]] as const)}
      />
      {draft.between === "wait" && (
        <NumberField
          label={words.waitSeconds}
          isFixing={isFixing}
          {...field("waitSeconds", "between")}
        />
      )}
      <ChoiceField
        label={words.offline}
        {...field("offline")}
        options={offlineRules.map((each) => [each, words.offlines[each]] as const)}
      />
      <CheckField label={words.healthGate} {...field("healthGate")} />
      {draft.healthGate && (
        <NumberField
          label={words.healthTimeoutSeconds}
          isFixing={isFixing}
          {...field("healthTimeoutSeconds")}
        />
      )}
      <NumberField
        label={words.deadlineMinutes}
        hint={words.deadlineHint}
        isOptional
        isFixing={isFixing}
        {...field("deadlineMinutes", "deadlineSeconds")}
      />
    </>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string;
  isOptional?: true;
  isFixing: boolean;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

function NumberField({ isOptional, isFixing, error, ...field }: NumberFieldProps) {
  const isRight = isWholeNumber(field.value) || (isOptional && field.value.trim() === "");
  const unfinished = useUnfinished(words.wholeNumber);
  const problem = isFixing && !isRight ? words.wholeNumber : unfinished.problem;
  return <TextField {...field} {...unfinished.watch} type="number" error={problem ?? error} />;
}
