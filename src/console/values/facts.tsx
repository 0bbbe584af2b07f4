// Names and what they stand for, one under the other.

import type { ReactNode } from "react";
import "./facts.css";

/** What is absent (null, undefined, false) is left out. */
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
