// The settings that an owner changes: what counts, what was configured, and the way back to that. What
// makes the server delete more than before is confirmed.

import { useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { loadSession } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Field } from "../../fields/field.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { texts } from "../../texts/index.ts";
import type { SettingName, Settings, SettingsPatch } from "./setting-types.ts";
import { ConfirmShorter, shorterRetentions } from "./shorter-retention.tsx";

const words = texts.settings.form;
const names = Object.keys(words.fields) as SettingName[];

export function SettingsForm({ current }: { current: Settings }) {
  const tell = useNotice();
  /** What was written, of those that were. */
  const [written, setWritten] = useState<Partial<Record<SettingName, string>>>({});
  const [asked, setAsked] = useState<SettingsPatch | null>(null);
  const update = useAct("settings.update", (_, { body = {} }) => {
    const isSaved = (name: SettingName) => body[name] !== undefined;
    setWritten((before) => without(before, names.filter(isSaved)));
    setAsked(null);
    tell(words.saved);
    // The workspace's name stands in the frame.
    void loadSession().catch(() => undefined);
  });
  const { error, isPending } = update;

  const save = (patch: SettingsPatch) => {
    update.reset();
    if (Object.keys(patch).length === 0) tell(words.unchanged);
    else if (shorterRetentions(current, patch).length > 0) setAsked(patch);
    else update.mutate({ body: patch });
  };
  return (
    <>
      <form
        className="card settings-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) save(patchOf(current, written));
        }}
      >
        <p>{words.says}</p>
        {names.map((name) => (
          <SettingField
            key={name}
            name={name}
            current={current}
            written={written[name]}
            error={issueOf(error, name)}
            onWrite={(text) => {
              setWritten({ ...written, [name]: text });
              if (!isPending) update.reset();
            }}
            onBack={() => save({ [name]: null })}
          />
        ))}
        {asked === null && <FormFailure error={error} fields={names} />}
        <Button type="submit" kind="primary" busy={isPending && asked === null}>
          {texts.words.save}
        </Button>
      </form>
      {asked && (
        <ConfirmShorter
          current={current}
          patch={asked}
          busy={isPending}
          error={error}
          onConfirm={() => update.mutate({ body: asked })}
          onClose={() => {
            setAsked(null);
            update.reset();
          }}
        />
      )}
    </>
  );
}

interface SettingFieldProps {
  name: SettingName;
  current: Settings;
  written: string | undefined;
  error: string | null;
  onWrite: (text: string) => void;
  onBack: () => void;
}

function SettingField({ name, current, written, error, onWrite, onBack }: SettingFieldProps) {
  const value = current.settings[name];
  const isChanged = current.changed.includes(name);
  const hints = [words.hints[name], isChanged && words.changed].filter(Boolean);
  const configured = words.configured(String(current.configured[name]));
  return (
    <div className="settings-field">
      <Field label={words.fields[name]} hint={[...hints, configured].join(" ")} error={error}>
        {(control) => (
          <input
            {...control}
            inputMode={typeof value === "number" ? "numeric" : "text"}
            value={written ?? String(value)}
            onChange={(event) => onWrite(event.target.value)}
          />
        )}
      </Field>
      {isChanged && (
        <Button kind="quiet" aria-label={words.backOf(words.fields[name])} onClick={onBack}>
          {words.back}
        </Button>
      )}
    </div>
  );
}

/** What was written and differs. What is no number is sent as it is: the server says what it wants. */
function patchOf(
  { settings }: Settings,
  written: Partial<Record<SettingName, string>>,
): SettingsPatch {
  const patch: Record<string, unknown> = {};
  for (const name of names) {
    const text = written[name]?.trim();
    if (text === undefined || text === String(settings[name])) continue;
    const isNumber = typeof settings[name] === "number" && /^-?\d+$/.test(text);
    patch[name] = isNumber ? Number(text) : text;
  }
  return patch as SettingsPatch;
}

function without<K extends string>(
  of: Partial<Record<K, string>>,
  names: readonly K[],
): Partial<Record<K, string>> {
  const rest = { ...of };
  for (const name of names) delete rest[name];
  return rest;
}
