// Creates a registration token and shows it once.

import { useAct } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useStayOnPage } from "../../components/use-stay-on-page.ts";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { CheckField, ChoiceField, TextField } from "../../fields/inputs.tsx";
import { LabelsField, labelsIn } from "../../fields/labels-field.tsx";
import { fromLocal } from "../../format/local-time.ts";
import { ownTimeZone } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { TokenOnce } from "./token-once.tsx";

const words = texts.registrationTokens.form;
/** Lifetimes in seconds. With 0, the token never expires. With `at`, the user enters a time. */
const choices = ["3600", "86400", "604800", "0", "at"] as const;
const options = choices.map((choice) => [choice, words.choices[choice]] as const);
const emptyDraft = {
  name: "",
  agentCode: "",
  labels: "",
  replace: false,
  at: "",
  expires: "86400" as (typeof choices)[number],
};

export function CreateToken({ onClose }: { onClose: () => void }) {
  const [draft, change] = useDraft(emptyDraft);
  const { data, error, isPending, isSuccess, mutate } = useAct("registration-tokens.create");
  const close = useStayOnPage(isPending || isSuccess, onClose);
  const mayAssign = useMay("owner");
  const field = fieldsOf(draft, change, error);
  if (data) return <TokenOnce token={data} onClose={close} />;
  const { name, agentCode, replace, expires, at } = draft;
  const labels = labelsIn(draft.labels);
  const isAt = expires === "at";
  const body = {
    name: name.trim() || undefined,
    agentCode: agentCode.trim() || undefined,
    replace,
    ...(draft.labels.trim() === "" ? {} : { labels: labels ?? {} }),
    ...(isAt ? { expiresAt: fromLocal(at) } : { expiresInSeconds: Number(expires) }),
  };
  return (
    <FormDialog
      title={texts.registrationTokens.create}
      verb={texts.words.create}
      busy={isPending}
      isHeld={labels === null}
      onSubmit={() => mutate({ body })}
      onClose={onClose}
    >
      <TextField
        label={texts.words.name}
        hint={words.nameHint}
        maxLength={200}
        {...field("name")}
      />
      <TextField
        label={words.agent}
        hint={words.agentHint}
        maxLength={128}
        spellCheck={false}
        {...field("agentCode")}
      />
      {mayAssign && (
        <LabelsField label={texts.labels.assigned} hint={words.labelsHint} {...field("labels")} />
      )}
      <CheckField label={words.replace} hint={words.replaceHint} {...field("replace")} />
      <ChoiceField
        label={texts.words.expires}
        hint={words.expiresHint}
        options={options}
        {...field("expires")}
      />
      {isAt && (
        <TextField
          label={words.at}
          hint={words.atHint({ zone: ownTimeZone() })}
          required
          type="datetime-local"
          {...field("at", "expiresAt")}
        />
      )}
      <FormFailure error={error} fields={["name", "agentCode", ...(isAt ? ["expiresAt"] : [])]} />
    </FormDialog>
  );
}
