// The form for a new object, with a field for each input of the noun's `create` route.

import { useState } from "react";
import type { Noun, NounField } from "../../api/contract/noun.ts";
import { capitalized } from "../../lib/capitalized.ts";
import { issueOf } from "../client/api-error.ts";
import { useAct } from "../client/queries.ts";
import { FormDialog } from "../components/dialogs/form-dialog.tsx";
import { SecretDialog } from "../components/dialogs/secret-dialog.tsx";
import { useNotice } from "../components/notices.tsx";
import { useStayOnPage } from "../components/use-stay-on-page.ts";
import { FormFailure } from "../fields/form-failure.tsx";
import { CheckField, ChoiceField, TextField } from "../fields/inputs.tsx";
import { LabelsField, labelsIn } from "../fields/labels-field.tsx";
import { fromLocal } from "../format/local-time.ts";
import { texts } from "../texts/index.ts";
import { type Row, titleOf } from "./nouns.ts";

const words = texts.nouns;

/** Empty values are not sent. */
type Draft = Readonly<Record<string, string | boolean>>;

export function CreateOne({ noun, onClose }: { noun: Noun; onClose: () => void }) {
  const { fields = [], shownOnce } = noun.create ?? {};
  const [draft, setDraft] = useState<Draft>({});
  const notify = useNotice();
  const create = useAct(`${noun.noun}.create` as "users.create", (reply) => {
    notify(words.created({ title: titleOf(noun, reply as unknown as Row) }));
    if (shownOnce === undefined) onClose();
  });
  const isHeld = shownOnce !== undefined && (create.isPending || create.isSuccess);
  const close = useStayOnPage(isHeld, onClose);
  const title = words.create({ one: noun.one });
  if (create.data && shownOnce !== undefined) {
    const secret = String((create.data as unknown as Row)[shownOnce]);
    return (
      <SecretDialog
        title={title}
        label={capitalized(noun.one)}
        secret={secret}
        warning={words.shownOnce}
        onClose={close}
      />
    );
  }
  return (
    <FormDialog
      title={title}
      verb={texts.words.create}
      busy={create.isPending}
      onSubmit={() => create.mutate({ body: bodyOf(fields, draft) as never })}
      onClose={onClose}
    >
      {fields.map((field) => (
        <Input
          key={field.name}
          field={field}
          error={issueOf(create.error, field.name)}
          value={draft[field.name] ?? ""}
          onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <FormFailure error={create.error} fields={fields.map(({ name }) => name)} />
    </FormDialog>
  );
}

interface InputProps {
  field: NounField;
  error: string | null;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
}

const types = { text: "text", number: "number", time: "datetime-local" } as const;

function Input({ field, error, value, onChange }: InputProps) {
  const { kind, hint, required = false, choices = [], maxLength } = field;
  const common = { label: labelOf(field), hint, error, required, onChange };
  if (kind === "flag") return <CheckField {...common} value={value === true} />;
  const text = String(value);
  if (kind === "choice") {
    const options = ["", ...choices].map((choice) => [choice, choice] as const);
    return <ChoiceField {...common} value={text} options={options} />;
  }
  if (kind === "map") return <LabelsField {...common} value={text} />;
  return <TextField {...common} type={types[kind]} maxLength={maxLength} value={text} />;
}

/** Turns `expiresInSeconds` into `Expires in seconds`. */
function labelOf({ name }: NounField): string {
  return capitalized(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

function bodyOf(fields: readonly NounField[], draft: Draft): Record<string, unknown> {
  const given = fields.filter(({ name }) => (draft[name] ?? "") !== "");
  return Object.fromEntries(given.map(({ name, kind }) => [name, sent(kind, draft[name] ?? "")]));
}

function sent(kind: NounField["kind"], value: string | boolean): unknown {
  if (kind === "number") return Number(value);
  if (kind === "time") return fromLocal(String(value));
  if (kind === "map") return labelsIn(String(value)) ?? {};
  return typeof value === "string" ? value.trim() : value;
}
