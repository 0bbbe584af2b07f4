// Dialogs over the page: the browser's own, which keeps the focus inside, ends on Escape and gives the
// focus back to where it was.

import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { texts } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  /** Called when it is closed in whatever way; it is shown for as long as it is rendered. */
  onClose: () => void;
  /** Escape and the cross do nothing: it is closed by its own buttons, or not at the moment. */
  isHeld?: boolean;
  /** Buttons at its foot. */
  actions?: ReactNode;
  /** For much content. */
  wide?: boolean;
  children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, onClose, isHeld = false, actions, wide = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the page lets go of it: only a dialog that is still there gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onClose={() => {
        // Browsers let nobody prevent a second Escape.
        if (dialog.current?.open !== false) return;
        if (isHeld) dialog.current.showModal();
        else onClose();
      }}
    >
      <header className="dialog-header">
        <h2 id={titleId}>{title}</h2>
        <IconButton label={texts.words.close} icon={<X />} disabled={isHeld} onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {actions && <footer className="dialog-actions">{actions}</footer>}
    </dialog>
  );
}
