// A form in a dialog. The dialog stays open while the form is submitted, because the response may
// contain something that is shown only once.

import { type ReactNode, useId } from "react";
import { texts } from "../../texts/index.ts";
import { Button } from "../buttons/button.tsx";
import { Dialog } from "./dialog.tsx";

export interface FormDialogProps {
  title: string;
  verb: string;
  /** The text of the button that closes the dialog, if "Cancel" could be mistaken for the act. */
  keep?: string | undefined;
  danger?: boolean;
  wide?: boolean;
  /** Disables the submit button. */
  isHeld?: boolean;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, verb, keep = texts.words.cancel, danger = false, isHeld = false } = props;
  const { wide = false, busy, onSubmit, onClose, children } = props;
  const form = useId();
  return (
    <Dialog
      title={title}
      wide={wide}
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
