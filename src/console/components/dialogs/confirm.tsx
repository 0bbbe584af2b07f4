// Asks the user to confirm an act that cannot be undone or that affects others. Only this dialog
// can create the `confirmation` that calls of dangerous actions need.

import { useEffect, useRef, useState } from "react";
import type { Confirmation } from "../../client/call.ts";
import { TextField } from "../../fields/inputs.tsx";
import { Failure } from "../failure.tsx";
import { FormDialog, type FormDialogProps } from "./form-dialog.tsx";

interface ConfirmProps extends Omit<FormDialogProps, "onSubmit"> {
  /** A word that the user must type first, for the most dangerous acts. */
  word?: { label: string; expected: string } | undefined;
  error: unknown;
  onConfirm: (confirmation: Confirmation) => void;
}

const confirmation = true as Confirmation;

export function Confirm(props: ConfirmProps) {
  const { children, word, isHeld = false, error, onConfirm, ...form } = props;
  const [typed, setTyped] = useState("");
  const wordField = useRef<HTMLInputElement>(null);
  useEffect(() => wordField.current?.focus(), []);
  const isUntyped = word !== undefined && typed.trim() !== word.expected;
  return (
    <FormDialog {...form} isHeld={isHeld || isUntyped} onSubmit={() => onConfirm(confirmation)}>
      {children}
      {word && <TextField label={word.label} ref={wordField} value={typed} onChange={setTyped} />}
      <Failure error={error} />
    </FormDialog>
  );
}
