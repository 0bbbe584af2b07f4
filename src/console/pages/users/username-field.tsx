// The name of a user, who is made or renamed: what it may be, and why it cannot be.

import { ApiError, issueOf } from "../../client/api-error.ts";
import { Field } from "../../fields/field.tsx";
import { texts } from "../../texts/index.ts";

const words = texts.users;

interface UsernameFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** As the call that sent it has failed. */
  error: unknown;
}

export function UsernameField({ value, onChange, error }: UsernameFieldProps) {
  return (
    <Field label={words.username} hint={words.usernameHint} error={nameProblem(error)} required>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={100}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** That a name is taken is of its field as well. */
function nameProblem(error: unknown): string | null {
  if (error instanceof ApiError && error.code === "USERNAME_TAKEN") return error.message;
  return issueOf(error, "username");
}
