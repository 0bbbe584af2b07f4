import type { ReactNode } from "react";
import "./facts.css";

/** Omits values that are null, undefined or false. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  const shown = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false,
  );
  return (
    <dl className="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
