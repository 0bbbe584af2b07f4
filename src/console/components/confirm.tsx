// Asks before something that cannot be taken back, or that others will feel: it says what will happen.

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Field } from "../fields/field.tsx";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

interface ConfirmProps {
  title: string;
  /** What will happen, in words. */
  children: ReactNode;
  /** What the button says: the verb. */
  verb: string;
  /** What the button says that does nothing, where "Cancel" would be read as the verb. */
  keep?: string;
  /** For what cannot be undone. */
  danger?: boolean;
  /** A word that must be written first: for the worst. */
  word?: { label: string; expected: string };
  /** Not to be confirmed now. */
  isHeld?: boolean;
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { title, children, verb, keep = texts.words.cancel, danger = false, word } = props;
  const { busy, error, onConfirm, onClose } = props;
  const [written, setWritten] = useState("");
  const form = useId();
  const wordField = useRef<HTMLInputElement>(null);
  useEffect(() => wordField.current?.focus(), []);
  const isUnsaid = word !== undefined && written.trim() !== word.expected;
  const isHeld = props.isHeld || isUnsaid;
  return (
    <Dialog
      title={title}
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
          if (!busy && !isHeld) onConfirm();
        }}
      >
        {children}
        {word && (
          <Field label={word.label}>
            {(input) => (
              <input
                {...input}
                ref={wordField}
                autoComplete="off"
                value={written}
                onChange={(event) => setWritten(event.target.value)}
              />
            )}
          </Field>
        )}
      </form>
      <Failure error={error} />
    </Dialog>
  );
}
