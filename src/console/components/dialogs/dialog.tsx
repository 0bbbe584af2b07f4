// A modal dialog. The browser's own `<dialog>` keeps the focus inside, closes on Escape and then
// restores the focus. If the element that had it is gone or leaves together with the dialog, the
// focus goes to its row, or to the nearest row that remains, or else to the page.

import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../buttons/button.tsx";
import { whenFocusIsLost } from "../focus/focus-main.ts";
import { focusBeside } from "../focus/use-focus-beside.ts";
import { softBreaks } from "../text/soft-breaks.tsx";
import "./dialog.css";

interface DialogProps {
  title: string;
  /** Called when the user closes the dialog. The caller must then stop rendering it. */
  onClose: () => void;
  /** Disables Escape and the close button in the corner, but not the dialog's other buttons. */
  isHeld?: boolean;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** Returns the field that gets the initial focus instead of the close button in the corner. */
function firstField(dialog: HTMLElement | null) {
  const first = ":is(input:not([type=radio]), input:checked, select, textarea):not(:disabled)";
  return dialog?.querySelector<HTMLElement>(`.dialog-body ${first}`);
}

export function Dialog(props: DialogProps) {
  const { title, onClose, isHeld = false, actions, wide = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The browser restores the focus only if the dialog is closed before it is removed.
  useLayoutEffect(() => {
    const element = dialog.current;
    // The row can leave its list while the dialog is open.
    const refocus = focusBeside(document.activeElement?.closest("tr, li"));
    element?.showModal();
    firstField(element)?.focus();
    return () => {
      element?.close();
      // The change that removes this dialog can also remove the element that got the focus back.
      whenFocusIsLost(refocus);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? "dialog dialog-wide floating" : "dialog floating"}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onClose={() => {
        // A second Escape closes the dialog despite `preventDefault`.
        if (dialog.current?.open !== false) return;
        if (isHeld) dialog.current.showModal();
        else onClose();
      }}
    >
      <header className="row dialog-header">
        <h2 id={titleId}>{softBreaks(title)}</h2>
        <IconButton label={texts.words.close} icon={<X />} disabled={isHeld} onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {actions && <footer className="row dialog-actions">{actions}</footer>}
    </dialog>
  );
}
