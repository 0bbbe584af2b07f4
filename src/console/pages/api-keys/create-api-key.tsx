// Makes an API key, and shows it this once with a line to try it.

import { useState } from "react";
import { type KeyRole, keyRoles } from "../../../domain/principals.ts";
import { issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useStay } from "../../components/stay.ts";
import { Field } from "../../fields/field.tsx";
import { FormDialog } from "../../fields/form-dialog.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { RoleField } from "../../fields/role-field.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import { texts } from "../../texts/index.ts";

const words = texts.apiKeys;
const day = 86_400;
/** In seconds from now. */
const expiries = {
  day,
  week: 7 * day,
  days30: 30 * day,
  days90: 90 * day,
  year: 365 * day,
  never: null,
} as const;
type Expiry = keyof typeof expiries;
const choices = Object.keys(expiries) as Expiry[];

export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<KeyRole>("viewer");
  const [expiry, setExpiry] = useState<Expiry>("days90");
  const create = useAct("api-keys.create");
  const close = useStay(create.isPending || create.isSuccess, onClose);
  if (create.data) {
    const { key } = create.data;
    return <ApiKeyOnce name={create.data.name} apiKey={key} onClose={close} />;
  }
  const submit = () => {
    const seconds = expiries[expiry];
    const end = seconds === null ? {} : { expiresInSeconds: seconds };
    create.mutate({ body: { name: name.trim(), role, ...end } });
  };
  return (
    <FormDialog
      title={words.create}
      verb={texts.words.create}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        error={issueOf(create.error, "name")}
        required
      >
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <RoleField choices={keyRoles} value={role} onChange={setRole} />
      <Field label={texts.words.expires} error={issueOf(create.error, "expiresInSeconds")}>
        {(control) => (
          <select
            {...control}
            value={expiry}
            onChange={(event) => setExpiry(event.target.value as Expiry)}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {texts.expiries[choice]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <FormFailure error={create.error} fields={["name", "expiresInSeconds"]} />
    </FormDialog>
  );
}

function ApiKeyOnce(props: { name: string; apiKey: string; onClose: () => void }) {
  const { name, apiKey, onClose } = props;
  const example = `PLATFORM_URL=${location.origin} PLATFORM_API_KEY=${apiKey} platformctl services list`;
  return (
    <Dialog
      title={words.created(name)}
      onClose={onClose}
      isHeld
      actions={
        <Button kind="primary" onClick={onClose}>
          {texts.words.close}
        </Button>
      }
    >
      <SecretOnce label={words.key} secret={apiKey} warning={words.keepIt} />
      <h3 className="api-key-title">{words.example}</h3>
      <div className="api-key-example">
        <pre>{example}</pre>
        <CopyButton text={example} label={words.copyExample} />
      </div>
    </Dialog>
  );
}
