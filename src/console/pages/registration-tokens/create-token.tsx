// A new registration token, in one dialog: the form, and then the token, which lives in the memory of this
// dialog and nowhere else.

import { useEffect, useRef, useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import type { Input } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { useStay } from "../../components/stay.ts";
import { Field } from "../../fields/field.tsx";
import { FormDialog } from "../../fields/form-dialog.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { fromLocal } from "../../format/local-time.ts";
import { texts } from "../../texts/index.ts";
import { TokenOnce } from "./token-once.tsx";

type Body = NonNullable<Input<"registration-tokens.create">["body"]>;

const words = texts.registrationTokens.form;
const choices = ["3600", "86400", "604800", "0", "at"] as const;
type Choice = (typeof choices)[number];
const usualChoice: Choice = "86400";
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function CreateToken({ onClose }: { onClose: () => void }) {
  const nameField = useRef<HTMLInputElement>(null);
  useEffect(() => nameField.current?.focus(), []);
  const [name, setName] = useState("");
  const [agent, setAgent] = useState("");
  const [replace, setReplace] = useState(false);
  const [expires, setExpires] = useState<Choice>(usualChoice);
  const [at, setAt] = useState("");
  const create = useAct("registration-tokens.create");
  const close = useStay(create.isPending || create.isSuccess, onClose);
  const { data: created, error } = create;
  if (created) return <TokenOnce token={created} onClose={close} />;
  const fields = expires === "at" ? ["name", "agentCode", "expiresAt"] : ["name", "agentCode"];
  const scope = { ...(agent.trim() === "" ? {} : { agentCode: agent.trim() }), replace };
  return (
    <FormDialog
      title={words.title}
      verb={texts.words.create}
      busy={create.isPending}
      onSubmit={() => create.mutate({ body: { ...bodyOf(name.trim(), expires, at), ...scope } })}
      onClose={onClose}
    >
      <Field label={texts.words.name} hint={words.nameHint} error={issueOf(error, "name")}>
        {(control) => (
          <input
            {...control}
            ref={nameField}
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label={words.agent} hint={words.agentHint} error={issueOf(error, "agentCode")}>
        {(control) => (
          <input
            {...control}
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            value={agent}
            onChange={({ target }) => setAgent(target.value)}
          />
        )}
      </Field>
      <Field label={words.replace} hint={words.replaceHint}>
        {({ className: _box, ...control }) => (
          <input
            {...control}
            type="checkbox"
            checked={replace}
            onChange={({ target }) => setReplace(target.checked)}
          />
        )}
      </Field>
      <Field label={texts.words.expires} hint={words.expiresHint}>
        {(control) => (
          <select
            {...control}
            value={expires}
            onChange={(event) => setExpires(event.target.value as Choice)}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {words.choices[choice]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {expires === "at" && (
        <Field
          label={words.at}
          hint={words.atHint(timeZone)}
          error={issueOf(error, "expiresAt")}
          required
        >
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              required
              value={at}
              onChange={({ target }) => setAt(target.value)}
            />
          )}
        </Field>
      )}
      <FormFailure error={error} fields={fields} />
    </FormDialog>
  );
}

function bodyOf(name: string, expires: Choice, at: string): Body {
  const expiry =
    expires === "at" ? { expiresAt: fromLocal(at) } : { expiresInSeconds: Number(expires) };
  return { ...(name === "" ? {} : { name }), ...expiry };
}
