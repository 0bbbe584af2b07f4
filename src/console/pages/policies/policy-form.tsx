// The dialog that creates or changes a policy.

import { useState } from "react";
import { dangerLevels } from "../../../domain/fleet/services.ts";
import { conflictIn } from "../../client/api-error.ts";
import { call, type Reply } from "../../client/call.ts";
import { refreshAll } from "../../client/queries.ts";
import { useSingleMutation } from "../../client/use-single-mutation.ts";
import { Advanced } from "../../components/advanced.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { Alert } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { ChoiceField, TextField } from "../../fields/inputs.tsx";
import { RadioField } from "../../fields/radio-field.tsx";
import { dangerFrom } from "../../format/danger.ts";
import { DeclaredNote } from "../../nouns/declared.tsx";
import { texts } from "../../texts/index.ts";
import {
  draftOf,
  emptyPolicy,
  hoursIn,
  orderIn,
  type Policy,
  type PolicyDraft,
  type PolicyRequest,
  requestOf,
} from "./policy-draft.ts";

const words = texts.policies;
const { fields } = words;

interface PolicyFormProps {
  /** Null for a new policy. */
  stored: Policy | null;
  onClose: () => void;
}

export function PolicyForm(props: PolicyFormProps) {
  const { onClose } = props;
  // The form sends the version that the user has seen.
  const [stored] = useState(props.stored);
  const [draft, change] = useDraft(stored ? draftOf(stored) : emptyPolicy);
  const [isUnusual] = useState(
    draft.hours !== emptyPolicy.hours || draft.order !== emptyPolicy.order,
  );
  const [isFixing, setFixing] = useState(false);
  const notify = useNotice();
  const save = useSingleMutation<Reply<"approval-policies.get">, PolicyRequest>({
    mutationFn: (body) =>
      stored === null
        ? call("approval-policies.create", { body })
        : call("approval-policies.update", {
            params: { policyId: stored.id },
            body: { ...body, version: stored.version },
          }),
    onSuccess: ({ name }) => {
      notify(words.saved({ name }));
      refreshAll();
      onClose();
    },
  });
  const { error } = save;
  const fieldOf = fieldsOf(draft, change, error);
  const field: typeof fieldOf = (name, path) => {
    const given = fieldOf(name, path);
    const wrong = isFixing ? problemsIn(draft)[name] : undefined;
    return wrong ? { ...given, error: wrong } : given;
  };
  const conflict = conflictIn(error);
  return (
    <FormDialog
      title={stored ? words.edit({ name: stored.name }) : words.createTitle}
      verb={stored ? texts.words.save : texts.words.create}
      busy={save.isPending}
      onSubmit={() => {
        const body = requestOf(draft);
        setFixing(body === null);
        if (body) save.mutate(body);
      }}
      onClose={onClose}
    >
      {stored && <DeclaredNote of={stored} />}
      <TextField label={texts.words.name} required maxLength={200} {...field("name")} />
      <TextField label={texts.words.description} maxLength={2000} {...field("description")} />
      <fieldset>
        <legend>{fields.scope}</legend>
        <p className="muted small">{fields.scopeHint}</p>
        <TextField label={fields.selector} hint={fields.selectorHint} {...field("selector")} />
        <TextField label={fields.action} hint={fields.actionHint} {...field("action")} />
        <ChoiceField<string>
          label={fields.dangerLevel}
          {...field("dangerLevel")}
          onChange={(level) => change({ dangerLevel: level as typeof draft.dangerLevel })}
          options={[
            ["", fields.anyLevel],
            ...dangerLevels.map((level) => [level, dangerFrom(level)] as const),
          ]}
        />
      </fieldset>
      <RadioField
        legend={fields.approvals}
        {...field("approvals")}
        options={[
          ["1", fields.counts[1]],
          ["2", fields.counts[2]],
        ]}
      />
      <RadioField
        legend={fields.approvers}
        {...field("by")}
        options={[
          ["operator", fields.by.operator],
          ["owner", fields.by.owner],
          ["users", fields.by.users],
        ]}
      />
      {draft.by === "users" && (
        <TextField
          label={fields.users}
          hint={fields.usersHint}
          required
          {...field("users", "approvers.users")}
        />
      )}
      <Advanced isOpen={isUnusual || isFixing || error !== null}>
        <div className="row inline-fields">
          <TextField
            label={`${fields.expires}${texts.words.aside({ text: fields.hours.toLowerCase() })}`}
            inputMode="decimal"
            {...field("hours", "expiresAfterSeconds")}
          />
          <TextField label={fields.order} inputMode="numeric" {...field("order")} />
        </div>
        <p className="muted small">{fields.orderHint}</p>
      </Advanced>
      {stored && <p className="muted small">{words.open}</p>}
      {conflict ? (
        <Alert text={words.conflict(conflict)} />
      ) : (
        <FormFailure error={error} fields={shownAtFields} />
      )}
    </FormDialog>
  );
}

function problemsIn(draft: PolicyDraft): Partial<Record<keyof PolicyDraft, string>> {
  return {
    ...(hoursIn(draft) === null ? { hours: fields.wholeHours } : {}),
    ...(orderIn(draft) === null ? { order: texts.rollouts.form.wholeNumber } : {}),
  };
}

const shownAtFields = [
  ...["name", "description", "selector", "action", "dangerLevel", "approvers.users"],
  ...["expiresAfterSeconds", "order"],
];
