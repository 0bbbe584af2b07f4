import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Cut } from "../../../components/cut.tsx";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { type Group, reasonOf } from "./group.ts";

/** A group with its problem and reason as the heading. */
export function GroupCard({ group, children }: { group: Group; children: ReactNode }) {
  const heading = `attention-${group.id}`;
  const card = useRef<HTMLLIElement>(null);
  // A group that was acknowledged leaves the list. The focus then moves to the next one.
  useLayoutEffect(() => {
    const left = card.current;
    return () => {
      if (!left?.contains(document.activeElement)) return;
      const beside = left.nextElementSibling ?? left.previousElementSibling;
      const next = beside?.querySelector<HTMLElement>("a, button");
      (next ?? left.closest("main"))?.focus();
    };
  }, []);
  return (
    <li ref={card} className="card attention-group tight" aria-labelledby={heading}>
      <h3 className="row" id={heading}>
        <StatusBadge status={group.problem} /> <Cut>{reasonOf(group)}</Cut>
      </h3>
      {children}
    </li>
  );
}
