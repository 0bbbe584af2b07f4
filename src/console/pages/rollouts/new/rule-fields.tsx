// The fields with the rules of a rollout.

import { ApiError } from "../../../client/api-error.ts";
import { CheckField, ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { texts } from "../../../texts/index.ts";
import type { DraftField } from "./choice-fields.tsx";
import { betweens, offlineRules, type RolloutDraft } from "./rollout-draft.ts";

const words = texts.rollouts.form;

interface RuleFieldsProps {
  draft: RolloutDraft;
  field: DraftField;
  error: unknown;
}

export function RuleFields({ draft, field, error }: RuleFieldsProps) {
  return (
    <>
      <TextField
        label={words.waves}
        hint={words.wavesHint}
        {...field("waves")}
        error={issueOfWaves(error)}
      />
      <TextField type="number" label={words.maxParallel} {...field("maxParallel")} />
      <TextField label={words.maxFailures} hint={words.maxFailuresHint} {...field("maxFailures")} />
      <ChoiceField
        label={words.between}
        {...field("between")}
        error={null}
        options={betweens.map((each) => [each, words.betweens[each]] as const)}
      />
      {draft.between === "wait" && (
        <TextField type="number" label={words.waitSeconds} {...field("waitSeconds", "between")} />
      )}
      <ChoiceField
        label={words.offline}
        {...field("offline")}
        options={offlineRules.map((each) => [each, words.offlines[each]] as const)}
      />
      <CheckField label={words.healthGate} {...field("healthGate")} />
      {draft.healthGate && (
        <TextField
          type="number"
          label={words.healthTimeoutSeconds}
          {...field("healthTimeoutSeconds")}
        />
      )}
      <TextField
        type="number"
        label={words.deadlineMinutes}
        hint={words.deadlineHint}
        {...field("deadlineMinutes", "deadlineSeconds")}
      />
    </>
  );
}

/** The field has all waves; the server names the wrong one: `waves.1`. */
function issueOfWaves(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.issues.find(({ path }) => /^waves\b/.test(path))?.message ?? null;
}
