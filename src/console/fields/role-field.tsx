import { useId } from "react";
import type { KeyRole } from "../../domain/principals.ts";
import { texts } from "../texts/index.ts";
import "./role-field.css";

interface RoleFieldProps<R extends KeyRole> {
  choices: readonly R[];
  value: R;
  onChange: (role: R) => void;
}

export function RoleField<R extends KeyRole>({ choices, value, onChange }: RoleFieldProps<R>) {
  const name = useId();
  return (
    <fieldset className="role-field">
      <legend>{texts.users.role}</legend>
      {choices.map((role) => (
        <label key={role}>
          <input
            type="radio"
            name={name}
            value={role}
            checked={value === role}
            onChange={() => onChange(role)}
          />
          <span>
            <strong>{texts.users.roles[role]}</strong>{" "}
            <span className="muted small">{texts.users.roleMeans[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
