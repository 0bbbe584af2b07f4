// An incident on two lines: the reason, the facts and the buttons. Details are shown on demand.

import { type ReactNode, useRef } from "react";
import { useFocusBeside } from "../../../components/focus/use-focus-beside.ts";
import { Cut } from "../../../components/text/cut.tsx";
import { toneOf } from "../../../format/status.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { type Group, reasonOf } from "./group.ts";

interface IncidentRowProps {
  group: Group;
  facts: ReactNode;
  acts: ReactNode;
  /** Shown below the row. */
  children?: ReactNode;
}

export function IncidentRow({ group, facts, acts, children }: IncidentRowProps) {
  const heading = `attention-${group.id}`;
  const row = useRef<HTMLLIElement>(null);
  useFocusBeside(row);
  return (
    <li
      ref={row}
      className={`incident tight tone-${toneOf(group.problem)}`}
      aria-labelledby={heading}
    >
      <h3 id={heading}>
        <StatusBadge status={group.problem} /> <Cut>{reasonOf(group)}</Cut>
      </h3>
      <div className="incident-facts small">{facts}</div>
      {acts && <div className="row incident-acts">{acts}</div>}
      {children && <div className="incident-details stack">{children}</div>}
    </li>
  );
}
