// A form in a dialog, and a button that sends it. While it is being sent it stays: what it makes may be
// shown to nobody else.

import { type ReactNode, useId } from "react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { texts } from "../texts/index.ts";

interface FormDialogProps {
  title: string;
  /** What the button says: the verb. */
  verb: string;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog({ title, verb, busy, onSubmit, onClose, children }: FormDialogProps) {
  const form = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isHeld={busy}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            {texts.words.cancel}
          </Button>
          <Button type="submit" form={form} kind="primary" busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
