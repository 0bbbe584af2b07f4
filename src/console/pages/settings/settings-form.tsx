// The settings. A change that deletes more data than before needs a confirmation.

import { useRef, useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { loadSession } from "../../client/session.ts";
import { Button } from "../../components/buttons/button.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Unsaved } from "../../components/unsaved.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { FormFooter } from "../../fields/form-footer.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { sentences } from "../../format/sentences.ts";
import { DeclaredBadge } from "../../nouns/declared.tsx";
import { texts } from "../../texts/index.ts";
import {
  ConfirmShorter,
  type Settings,
  type SettingsPatch,
  shorterRetentions,
} from "./shorter-retention.tsx";

type SettingName = keyof Settings["settings"];

const words = texts.settings.form;
const names = Object.keys(words.fields) as SettingName[];

export function SettingsForm({ current }: { current: Settings }) {
  const notify = useNotice();
  const [edited, setEdited] = useState<Partial<Record<SettingName, string>>>({});
  const [asked, setAsked] = useState<SettingsPatch | null>(null);
  const sent = useRef(edited);
  const { error, isPending, mutate, reset } = useAct("settings.update", (_, { body }) => {
    // What the user has typed since the settings were sent stays.
    const isKept = ([name, text]: [string, string]) =>
      body?.[name as SettingName] === undefined || sent.current[name as SettingName] !== text;
    setEdited((before) => Object.fromEntries(Object.entries(before).filter(isKept)));
    setAsked(null);
    notify(words.saved);
    // The session contains the workspace's name, which the frame shows.
    void loadSession().catch(() => undefined);
  });

  const declared = Object.keys(current.declaredIn);

  const send = (patch: SettingsPatch) => {
    sent.current = edited;
    mutate({ body: patch });
  };
  const save = (patch: SettingsPatch) => {
    reset();
    if (Object.keys(patch).length === 0) notify(words.unchanged);
    else if (shorterRetentions(current, patch).length > 0) setAsked(patch);
    else send(patch);
  };
  return (
    <>
      <Unsaved isDirty={Object.keys(patchOf(current, edited)).length > 0} />
      <form
        className="card settings-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) save(patchOf(current, edited));
        }}
      >
        <p>{words.says}</p>
        {declared.length > 0 && <p className="card note">{words.declared}</p>}
        {names.map((name) => (
          <div key={name} className="settings-field">
            <TextField
              label={words.fields[name]}
              hint={hintOf(current, name)}
              error={issueOf(error, name)}
              inputMode={typeof current.settings[name] === "number" ? "numeric" : "text"}
              value={edited[name] ?? String(current.settings[name])}
              onChange={(text) => {
                setEdited({ ...edited, [name]: text });
                reset();
              }}
            />
            <DeclaredBadge of={{ declaredIn: current.declaredIn[name] }} />
            {current.changed.includes(name) && (
              <Button
                kind="quiet"
                aria-label={words.backOf({ field: words.fields[name] })}
                disabled={isPending}
                onClick={() => save({ [name]: null })}
              >
                {words.back}
              </Button>
            )}
          </div>
        ))}
        {asked === null && <FormFailure error={error} fields={names} />}
        <FormFooter>
          <Button type="submit" kind="primary" busy={isPending && asked === null}>
            {texts.words.save}
          </Button>
        </FormFooter>
      </form>
      {asked && (
        <ConfirmShorter
          current={current}
          patch={asked}
          busy={isPending}
          error={error}
          onConfirm={() => send(asked)}
          onClose={() => {
            setAsked(null);
            reset();
          }}
        />
      )}
    </>
  );
}

function hintOf({ changed, configured, declaredIn }: Settings, name: SettingName): string {
  const isChanged = changed.includes(name) && !declaredIn[name];
  const value = String(configured[name]);
  const usual = value !== "" && words.configured({ value });
  return sentences([words.hints[name], isChanged && words.changed, usual]);
}

function wordOf(text: string): string[] {
  const word = text.trim();
  return word === "" ? [] : [word];
}

/** Text that is not a number is sent unchanged. The server rejects it if it expects a number. */
function patchOf(
  { settings }: Settings,
  edited: Partial<Record<SettingName, string>>,
): SettingsPatch {
  const patch: Record<string, unknown> = {};
  for (const name of names) {
    const text = edited[name]?.trim();
    if (text === undefined || text === String(settings[name])) continue;
    const isNumber = typeof settings[name] === "number" && /^-?\d+$/.test(text);
    if (Array.isArray(settings[name])) patch[name] = text.split(",").flatMap(wordOf);
    else patch[name] = isNumber ? Number(text) : text;
  }
  return patch as SettingsPatch;
}
