import { type ReactNode, useState } from "react";
import { Button, type ButtonKind } from "../buttons/button.tsx";

interface DialogButtonProps {
  text: string;
  kind?: ButtonKind;
  icon?: ReactNode;
  children: (close: () => void) => ReactNode;
}

export function DialogButton({ text, kind = "plain", icon, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} icon={icon} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
