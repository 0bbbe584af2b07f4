// Dialogs over the page: the browser's own, which keeps the focus inside, closes on Escape and then
// restores the focus.

import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../button.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  /** Must stop rendering the dialog. */
  onClose: () => void;
  /** Escape and the cross do nothing: only its own buttons close it, or nothing does at the moment. */
  isHeld?: boolean;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, onClose, isHeld = false, actions, wide = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closes it while it is still in the page: it restores the focus only then.
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
        // A second Escape closes it in spite of `preventDefault`.
        if (dialog.current?.open !== false) return;
        if (isHeld) dialog.current.showModal();
        else onClose();
      }}
    >
      <header className="row dialog-header">
        <h2 id={titleId}>{title}</h2>
        <IconButton label={texts.words.close} icon={<X />} disabled={isHeld} onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {actions && <footer className="row dialog-actions">{actions}</footer>}
    </dialog>
  );
}
