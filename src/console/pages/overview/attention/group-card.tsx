import type { ReactNode } from "react";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { type Group, reasonOf } from "./group.ts";

/** A group with its problem and reason as the heading. */
export function GroupCard({ group, children }: { group: Group; children: ReactNode }) {
  const heading = `attention-${group.id}`;
  return (
    <li className="card attention-group tight" aria-labelledby={heading}>
      <h3 className="row" id={heading}>
        <StatusBadge status={group.problem} /> <span>{reasonOf(group)}</span>
      </h3>
      {children}
    </li>
  );
}
