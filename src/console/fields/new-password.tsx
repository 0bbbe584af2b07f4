// A field for a new password. A generated password is shown in plain text.

import { useState } from "react";
import { Button } from "../components/button.tsx";
import { texts } from "../texts/index.ts";
import { Field } from "./field.tsx";
import "./new-password.css";

interface NewPasswordProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
  error: string | null;
  make?: () => string;
  /** Called on each change, with whether the password was generated. */
  onMade?: (isMade: boolean) => void;
}

export function NewPassword({ label, value, onChange, error, make, onMade }: NewPasswordProps) {
  const [isMade, setMade] = useState(false);
  const change = (password: string, made: boolean) => {
    setMade(made);
    onMade?.(made);
    onChange(password);
  };
  return (
    <Field
      label={label}
      hint={isMade ? texts.users.madeUp : texts.users.passwordRules}
      error={error}
      required
    >
      {(control) => (
        <div className="row new-password">
          <input
            {...control}
            type={isMade ? "text" : "password"}
            autoComplete="new-password"
            spellCheck={false}
            required
            maxLength={512}
            value={value}
            onChange={(event) => change(event.target.value, false)}
          />
          {make && <Button onClick={() => change(make(), true)}>{texts.users.makeUp}</Button>}
        </div>
      )}
    </Field>
  );
}
