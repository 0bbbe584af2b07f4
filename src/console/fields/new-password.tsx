// A field for a new password. A generated password is shown in plain text.

import { useState } from "react";
import { randomBase62 } from "../../lib/base62.ts";
import { fillRandom } from "../client/random.ts";
import { Button } from "../components/buttons/button.tsx";
import { texts } from "../texts/index.ts";
import { Field } from "./field.tsx";
import "./new-password.css";

interface NewPasswordProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
  error: string | null;
  /**
   * Called on each change; `isMade` says whether the password was generated. Without this function,
   * the field does not offer to generate one.
   */
  onMade?: (isMade: boolean) => void;
}

export function NewPassword({ label, value, onChange, error, onMade }: NewPasswordProps) {
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
          {onMade && (
            <Button onClick={() => change(generatePassword(), true)}>{texts.users.makeUp}</Button>
          )}
        </div>
      )}
    </Field>
  );
}

/** The 24 letters and digits have 142 bits of entropy. */
function generatePassword(): string {
  return randomBase62(24, fillRandom);
}
