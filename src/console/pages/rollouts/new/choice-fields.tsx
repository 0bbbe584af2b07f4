// The fields that choose the services of a rollout.

import { Link } from "react-router";
import { effectiveStatuses } from "../../../../domain/fleet/services.ts";
import type { fieldsOf } from "../../../fields/draft.ts";
import { CheckField, ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { statusText } from "../../../format/status.ts";
import { texts } from "../../../texts/index.ts";
import { listOf, type RolloutDraft } from "./rollout-draft.ts";

const words = texts.rollouts.form;

export type DraftField = ReturnType<typeof fieldsOf<RolloutDraft>>;

interface ChoiceFieldsProps {
  found: readonly string[] | null;
  field: DraftField;
}

export function ChoiceFields({ found, field }: ChoiceFieldsProps) {
  if (found) {
    return (
      <>
        <p>{words.found({ many: found.length })}</p>
        <p className="muted small">{words.foundHint}</p>
        <Link to="/rollouts/new">{words.chooseOthers}</Link>
      </>
    );
  }
  const status = field("status");
  const several = status.value.includes(",") ? [status.value] : [];
  const statuses = ["", ...several, ...effectiveStatuses];
  return (
    <>
      <TextField
        label={words.selector}
        hint={words.selectorHint}
        help="selector"
        {...field("selector")}
      />
      <ChoiceField<string>
        label={words.status}
        {...status}
        options={statuses.map((each) => [each, each ? statusesText(each) : texts.words.any])}
      />
      <TextField label={words.services} hint={words.codesHint} {...field("services")} />
      <TextField label={words.agents} hint={words.codesHint} {...field("agents")} />
      <CheckField label={words.all} {...field("isAll")} error={null} />
    </>
  );
}

function statusesText(written: string): string {
  return listOf(written).map(statusText).join(texts.words.comma);
}
