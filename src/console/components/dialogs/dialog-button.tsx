// A button that opens a dialog.

import { type ReactNode, useState } from "react";
import { Button, type ButtonKind } from "../button.tsx";

interface DialogButtonProps {
  text: string;
  kind?: ButtonKind;
  /** The dialog. */
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, kind = "plain", children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
