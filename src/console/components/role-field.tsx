// Which role somebody gets, each with what it may do.

import { useId } from "react";
import type { Role } from "../client/session.ts";
import { texts } from "../texts/index.ts";
import "./role-field.css";

const roles: readonly Role[] = ["viewer", "operator", "owner"];

export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const name = useId();
  return (
    <fieldset className="role-field">
      <legend>{texts.users.role}</legend>
      {roles.map((role) => (
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
