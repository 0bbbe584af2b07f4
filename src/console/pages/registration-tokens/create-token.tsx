// A new registration token, in one dialog: the form, and then the token, which lives in the memory of this
// dialog and nowhere else.

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import type { Input, Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { Field } from "../../components/field.tsx";
import { fromLocal } from "../../format/local-time.ts";
import { texts } from "../../texts/index.ts";
import { TokenOnce } from "./token-once.tsx";

type Created = Reply<"registration-tokens.create">;
type Body = NonNullable<Input<"registration-tokens.create">["body"]>;

const words = texts.registrationTokens.form;
const choices = ["3600", "86400", "604800", "0", "at"] as const;
const usualChoice = "86400";
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function CreateToken({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created | null>(null);
  if (created) return <TokenOnce token={created} onClose={onClose} />;
  return <TokenForm onCreated={setCreated} onClose={onClose} />;
}

interface TokenFormProps {
  onCreated: (token: Created) => void;
  onClose: () => void;
}

function TokenForm({ onCreated, onClose }: TokenFormProps) {
  const formId = useId();
  const nameField = useRef<HTMLInputElement>(null);
  useEffect(() => nameField.current?.focus(), []);
  const [expires, setExpires] = useState<string>(usualChoice);
  const create = useAct("registration-tokens.create", onCreated);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!create.isPending) create.mutate({ body: bodyOf(new FormData(event.currentTarget)) });
  };
  const nameIssue = issueOf(create.error, "name");
  const expiryIssue = issueOf(create.error, "expiresAt");
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.words.cancel}</Button>
          <Button type="submit" form={formId} kind="primary" busy={create.isPending}>
            {texts.words.create}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <Field label={texts.words.name} hint={words.nameHint} error={nameIssue}>
          {(control) => (
            <input {...control} ref={nameField} name="name" maxLength={200} autoComplete="off" />
          )}
        </Field>
        <Field label={texts.words.expires} hint={words.expiresHint}>
          {(control) => (
            <select
              {...control}
              name="expires"
              value={expires}
              onChange={(event) => setExpires(event.target.value)}
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
          <Field label={words.at} hint={words.atHint(timeZone)} error={expiryIssue} required>
            {(control) => <input {...control} name="at" type="datetime-local" required />}
          </Field>
        )}
        {!nameIssue && !expiryIssue && <Failure error={create.error} />}
      </form>
    </Dialog>
  );
}

function bodyOf(given: FormData): Body {
  const name = String(given.get("name")).trim();
  const expires = String(given.get("expires"));
  const expiry =
    expires === "at"
      ? { expiresAt: fromLocal(String(given.get("at"))) }
      : { expiresInSeconds: Number(expires) };
  return { ...(name === "" ? {} : { name }), ...expiry };
}
