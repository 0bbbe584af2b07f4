// Assigns labels to an agent or a service.

import { useState } from "react";
import type { Reply } from "../client/call.ts";
import { useAct } from "../client/queries.ts";
import { useMay } from "../client/session.ts";
import { DialogButton } from "../components/dialogs/dialog-button.tsx";
import { FormDialog } from "../components/dialogs/form-dialog.tsx";
import { useNotice } from "../components/notices.tsx";
import { FormFailure } from "../fields/form-failure.tsx";
import { LabelsField, labelsIn, labelsText } from "../fields/labels-field.tsx";
import { texts } from "../texts/index.ts";

type Subject =
  | { noun: "agents"; item: Reply<"agents.get"> }
  | { noun: "services"; item: Reply<"services.get"> };

const words = texts.labels;

/** Shown only to owners. */
export function EditLabels(subject: Subject) {
  if (!useMay("owner")) return null;
  return (
    <DialogButton text={words.edit}>
      {(close) => <LabelsDialog subject={subject} onClose={close} />}
    </DialogButton>
  );
}

function LabelsDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const { noun, item } = subject;
  const own = noun === "agents" ? "AGENT" : "SERVICE";
  // Sends only the user's changes, to keep what others change while the dialog is open.
  const [assigned] = useState<Record<string, string>>(() => {
    const labels = item.labelSources.filter(
      ({ source, of }) => source === "ASSIGNED" && of === own,
    );
    return Object.fromEntries(labels.map(({ key, value }) => [key, value]));
  });
  const [text, setText] = useState(() => labelsText(assigned));
  const notify = useNotice();
  const { error, isPending, mutate } = useAct(`${noun}.label`, () => {
    onClose();
    notify(words.saved({ code: item.code }));
  });
  const labels = labelsIn(text);
  const save = () => {
    if (labels === null) return;
    const removed = Object.keys(assigned).filter((key) => !Object.hasOwn(labels, key));
    const written = Object.entries(labels).filter(([key, value]) => assigned[key] !== value);
    const changes = [...removed.map((key) => [key, null] as const), ...written];
    const body = { labels: Object.fromEntries(changes) };
    const { id } = item;
    mutate(
      noun === "agents" ? { params: { agentId: id }, body } : { params: { serviceId: id }, body },
    );
  };
  return (
    <FormDialog
      title={words.title({ code: item.code })}
      verb={texts.words.save}
      busy={isPending}
      isHeld={labels === null}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{words.says}</p>
      <LabelsField
        label={words.assigned}
        hint={words.hint}
        error={null}
        value={text}
        onChange={setText}
      />
      <FormFailure error={error} fields={[]} />
    </FormDialog>
  );
}
