import { type ReactNode, useState } from "react";
import { Button, type ButtonKind } from "../button.tsx";

interface DialogButtonProps {
  text: string;
  /** Read out by screen readers in place of the text, which must be a part of it. */
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
