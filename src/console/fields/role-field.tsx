import type { KeyRole } from "../../domain/principals.ts";
import { texts } from "../texts/index.ts";
import { RadioField } from "./radio-field.tsx";

interface RoleFieldProps<R extends KeyRole> {
  choices: readonly R[];
  value: R;
  onChange: (role: R) => void;
}

export function RoleField<R extends KeyRole>({ choices, value, onChange }: RoleFieldProps<R>) {
  const { role, roles, roleMeans } = texts.users;
  const options = choices.map((each) => {
    const label = (
      <>
        <strong>{roles[each]}</strong> <span className="muted small">{roleMeans[each]}</span>
      </>
    );
    return [each, label] as const;
  });
  return <RadioField legend={role} value={value} options={options} onChange={onChange} />;
}
