// Acknowledges or silences a group, or ends the acknowledgement or silence.

import { useState } from "react";
import { silenceSeconds } from "../../../../domain/fleet/attention.ts";
import { noteMaxLength } from "../../../../domain/limits.ts";
import { useAct } from "../../../client/queries.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { Failure } from "../../../components/failure.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { softBreaks } from "../../../components/text/soft-breaks.tsx";
import { TextField } from "../../../fields/inputs.tsx";
import { RadioField } from "../../../fields/radio-field.tsx";
import { texts } from "../../../texts/index.ts";
import { type Group, nameOf, reasonOf } from "./group.ts";

const words = texts.attention;
const { colon } = texts.words;

export interface AskedNote {
  kind: "acknowledge" | "silence";
  group: Group;
}

interface NoteDialogProps {
  asked: AskedNote;
  onClose: () => void;
}

const lengths = silenceSeconds.map(
  (seconds) => [String(seconds), words.silence.times[seconds]] as const,
);

export function NoteDialog({ asked: { kind, group }, onClose }: NoteDialogProps) {
  const { verb, of, what, done } = words[kind];
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState("3600");
  const notify = useNotice();
  const { isPending, error, mutate } = useAct(`attention.${kind}`, ({ services }) => {
    notify(done({ many: services }));
    onClose();
  });
  const isSilence = kind === "silence";
  const submit = () => {
    const body = { groupId: group.id, ...given(note) };
    mutate(isSilence ? { body: { ...body, seconds: Number(seconds) } } : { body });
  };
  return (
    <FormDialog
      title={of({ name: nameOf(group) })}
      verb={verb}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <strong>{softBreaks(reasonOf(group))}</strong>
      </p>
      <p>{what({ name: nameOf(group) })}</p>
      {isSilence && (
        <RadioField
          legend={words.silence.forHowLong}
          value={seconds}
          options={lengths}
          onChange={setSeconds}
        />
      )}
      <TextField
        label={words.note}
        hint={words.noteHint}
        maxLength={noteMaxLength}
        value={note}
        onChange={setNote}
      />
      <Failure error={error} />
    </FormDialog>
  );
}

function given(note: string) {
  const text = note.trim();
  return text === "" ? {} : { note: text };
}

export function EndNoteButton({ group }: { group: Group }) {
  const { note } = group;
  const text = note?.kind === "SILENCED" ? words.silence.end : words.acknowledge.end;
  const notify = useNotice();
  const { mutate, isPending, error } = useAct("attention.clear", ({ services }) =>
    notify(words.ended({ many: services })),
  );
  return (
    <>
      <Button
        busy={isPending}
        aria-label={`${text}${colon}${nameOf(group)}`}
        onClick={() => mutate({ body: { groupId: group.id } })}
      >
        {text}
      </Button>
      <Failure error={error} />
    </>
  );
}
