// A dialog that saves a view, and a dialog that changes a view's name or who can see it.

import { useState } from "react";
import type { ViewedList } from "../../../domain/saved-views.ts";
import { conflictIn, issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { Alert } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { useLeavePage } from "../../components/use-leave-page.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { CheckField, TextField } from "../../fields/inputs.tsx";
import { texts } from "../../texts/index.ts";
import { DeclaredNote } from "../declared.tsx";
import { type View, viewAddress } from "./view-address.ts";

const words = texts.savedViews;

interface SaveViewProps {
  list: ViewedList;
  query: Record<string, string>;
  /** The views that the user can replace. */
  views: readonly View[];
  onClose: () => void;
}

export function SaveView({ list, query, views, onClose }: SaveViewProps) {
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const leave = useLeavePage();
  const notify = useNotice();
  const done = (view: View) => {
    notify(words.saved({ name: view.name }));
    leave(viewAddress(view), { replace: true });
    onClose();
  };
  const create = useAct("saved-views.create", done);
  const replace = useAct("saved-views.update", done);
  const same = views.find((view) => view.name === name.trim() && view.shared === shared);
  const save = () => {
    const body = { name: name.trim(), noun: list, query, shared };
    if (!same) create.mutate({ body });
    else replace.mutate({ params: { viewId: same.id }, body: { ...body, version: same.version } });
  };
  const error = same ? replace.error : create.error;
  return (
    <FormDialog
      title={words.saveTitle}
      verb={same ? words.replace : texts.words.save}
      isHeld={name.trim() === ""}
      busy={create.isPending || replace.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{words.what}</p>
      <NameFields {...{ name, setName, shared, setShared, error }} />
      {same && <p>{words.replaces({ name: same.name })}</p>}
      {same && <DeclaredNote of={same} />}
    </FormDialog>
  );
}

export function EditView(props: { view: View; onClose: () => void }) {
  const { onClose } = props;
  const [view] = useState(props.view);
  const [name, setName] = useState(view.name);
  const [shared, setShared] = useState(view.shared);
  const notify = useNotice();
  const { error, isPending, mutate } = useAct("saved-views.update", (saved) => {
    notify(words.saved({ name: saved.name }));
    onClose();
  });
  const { id, noun, query, version } = view;
  return (
    <FormDialog
      title={words.renameTitle({ name: view.name })}
      verb={texts.words.save}
      isHeld={name.trim() === ""}
      busy={isPending}
      onSubmit={() =>
        mutate({
          params: { viewId: id },
          body: { name: name.trim(), noun, query, shared, version },
        })
      }
      onClose={onClose}
    >
      <NameFields {...{ name, setName, shared, setShared, error }} />
      <DeclaredNote of={view} />
    </FormDialog>
  );
}

interface NameFieldsProps {
  name: string;
  setName: (name: string) => void;
  shared: boolean;
  setShared: (shared: boolean) => void;
  error: unknown;
}

function NameFields({ name, setName, shared, setShared, error }: NameFieldsProps) {
  const mayShare = useMay("operator");
  const conflict = conflictIn(error);
  return (
    <>
      <TextField
        label={texts.words.name}
        required
        maxLength={200}
        error={issueOf(error, "name")}
        value={name}
        onChange={setName}
      />
      {mayShare && <CheckField label={words.shared} value={shared} onChange={setShared} />}
      {conflict ? (
        <Alert text={words.changed(conflict)} />
      ) : (
        <FormFailure error={error} fields={["name"]} />
      )}
    </>
  );
}
