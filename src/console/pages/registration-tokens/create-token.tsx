// Creates a registration token and shows it once.

import { useEffect, useRef, useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useStay } from "../../components/stay.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { CheckField, ChoiceField, TextField } from "../../fields/inputs.tsx";
import { fromLocal } from "../../format/local-time.ts";
import { texts } from "../../texts/index.ts";
import { TokenOnce } from "./token-once.tsx";

const words = texts.registrationTokens.form;
/** In seconds. 0 means never, and `at` means the time that the user enters. */
const choices = ["3600", "86400", "604800", "0", "at"] as const;
const options = choices.map((choice) => [choice, words.choices[choice]] as const);
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function CreateToken({ onClose }: { onClose: () => void }) {
  const nameField = useRef<HTMLInputElement>(null);
  useEffect(() => nameField.current?.focus(), []);
  const [name, setName] = useState("");
  const [agentCode, setAgentCode] = useState("");
  const [replace, setReplace] = useState(false);
  const [expires, setExpires] = useState<(typeof choices)[number]>("86400");
  const [at, setAt] = useState("");
  const { data, error, isPending, isSuccess, mutate } = useAct("registration-tokens.create");
  const close = useStay(isPending || isSuccess, onClose);
  if (data) return <TokenOnce token={data} onClose={close} />;
  const isAt = expires === "at";
  const body = {
    name: name.trim() || undefined,
    agentCode: agentCode.trim() || undefined,
    replace,
    ...(isAt ? { expiresAt: fromLocal(at) } : { expiresInSeconds: Number(expires) }),
  };
  return (
    <FormDialog
      title={texts.registrationTokens.create}
      verb={texts.words.create}
      busy={isPending}
      onSubmit={() => mutate({ body })}
      onClose={onClose}
    >
      <TextField
        label={texts.words.name}
        hint={words.nameHint}
        error={issueOf(error, "name")}
        ref={nameField}
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <TextField
        label={words.agent}
        hint={words.agentHint}
        error={issueOf(error, "agentCode")}
        maxLength={128}
        spellCheck={false}
        value={agentCode}
        onChange={setAgentCode}
      />
      <CheckField
        label={words.replace}
        hint={words.replaceHint}
        value={replace}
        onChange={setReplace}
      />
      <ChoiceField
        label={texts.words.expires}
        hint={words.expiresHint}
        value={expires}
        onChange={setExpires}
        options={options}
      />
      {isAt && (
        <TextField
          label={words.at}
          hint={words.atHint(timeZone)}
          error={issueOf(error, "expiresAt")}
          required
          type="datetime-local"
          value={at}
          onChange={setAt}
        />
      )}
      <FormFailure error={error} fields={["name", "agentCode", ...(isAt ? ["expiresAt"] : [])]} />
    </FormDialog>
  );
}
