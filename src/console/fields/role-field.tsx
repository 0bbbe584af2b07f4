import type { KeyRole } from "../../domain/access/principals.ts";
import { capitalized } from "../../lib/capitalized.ts";
import { texts } from "../texts/index.ts";
import { RadioField } from "./radio-field.tsx";

interface RoleFieldProps<R extends KeyRole> {
  choices: readonly R[];
  value: R;
  onChange: (role: R) => void;
}

export function RoleField<R extends KeyRole>({ choices, value, onChange }: RoleFieldProps<R>) {
  const options = choices.map((role) => [role, <Role key={role} role={role} />] as const);
  return (
    <RadioField legend={texts.users.role} value={value} options={options} onChange={onChange} />
  );
}

function Role({ role }: { role: KeyRole }) {
  const { roles, roleMeans } = texts.users;
  return (
    <>
      <strong>{capitalized(roles[role])}</strong>{" "}
      <span className="muted small">{roleMeans[role]}</span>
    </>
  );
}
