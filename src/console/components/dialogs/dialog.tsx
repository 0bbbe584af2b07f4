// A dialog over the page. It uses the browser's own `<dialog>`, which keeps the focus inside,
// closes on Escape and then restores the focus.

import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../button.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  /** Called when the dialog is to close. The caller must then stop rendering the dialog. */
  onClose: () => void;
  /**
   * Disables Escape and the cross. Only the dialog's own buttons can close it, if they are enabled.
   */
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
  // Closes the dialog before it leaves the page, because only then does it restore the focus.
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
        // A second Escape closes the dialog in spite of `preventDefault`.
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
