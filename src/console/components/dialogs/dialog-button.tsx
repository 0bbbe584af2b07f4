import { type ReactNode, useState } from "react";
import { Button, type ButtonKind } from "../buttons/button.tsx";

interface DialogButtonProps {
  text: string;
  /** Screen readers read this out instead of the text. It must contain the text. */
  label?: string;
  kind?: ButtonKind;
  icon?: ReactNode;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, label, kind = "plain", icon, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} icon={icon} aria-label={label} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
