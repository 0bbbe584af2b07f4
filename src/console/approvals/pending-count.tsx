// The number of other users' requests that wait for approval, shown to users who can decide.

import { useMay } from "../client/session.ts";
import { count } from "../format/number.ts";
import { texts } from "../texts/index.ts";
import { useWaitingOfOthers } from "./approval.ts";
import "./approvals.css";

export function PendingCount() {
  const may = useMay("operator");
  return may ? <Counted /> : null;
}

function Counted() {
  const many = useWaitingOfOthers();
  if (many === null || many <= 0) return null;
  return (
    <span className="pending-count">
      <span aria-hidden="true">{count(many)}</span>
      <span className="visually-hidden">{texts.approvals.pending({ many })}</span>
    </span>
  );
}
