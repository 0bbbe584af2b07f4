// A form in a dialog, with a button that submits it. The dialog stays open while the form is submitted: the
// response may be shown only once.

import { type ReactNode, useId } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../button.tsx";
import { Dialog } from "./dialog.tsx";

export interface FormDialogProps {
  title: string;
  /** The text of the submit button: a verb. */
  verb: string;
  /** The text of the button that does nothing, where "Cancel" would be mistaken for the verb. */
  keep?: string | undefined;
  /** For what cannot be undone. */
  danger?: boolean;
  /** The form cannot be submitted now. */
  isHeld?: boolean;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, verb, keep = texts.words.cancel, danger = false, isHeld = false } = props;
  const { busy, onSubmit, onClose, children } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isHeld={busy}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {keep}
          </Button>
          <Button
            type="submit"
            form={form}
            kind={danger ? "danger" : "primary"}
            busy={busy}
            disabled={isHeld}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !isHeld) onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
