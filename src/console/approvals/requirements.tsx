// The approvals that policies require for a request, and how many of them have been given.

import { softBreaks } from "../components/text/soft-breaks.tsx";
import { NounLink } from "../nouns/noun-link.tsx";
import { texts } from "../texts/index.ts";
import { Badge } from "../values/status-badge.tsx";
import { type Approval, approversText } from "./approval.ts";
import "./approvals.css";

const words = texts.approvals.requirements;
const { comma } = texts.words;

export function Requirements({ approval }: { approval: Approval }) {
  return (
    <ul className="requirements stack plain">
      {approval.requirements.map(({ policyId, policyName, approvals, approvers, approvedBy }) => (
        <li key={policyId}>
          <NounLink to="approval-policies" id={policyId}>
            {policyName}
          </NounLink>
          <Badge tone={approvedBy.length >= approvals ? "good" : "warn"}>
            {words.progress({ done: Math.min(approvedBy.length, approvals), needed: approvals })}
          </Badge>
          <span className="muted small">
            {softBreaks(words.who({ who: approversText(approvers) }))}
            {approvedBy.length > 0 &&
              softBreaks(`${comma}${words.by({ names: approvedBy.join(comma) })}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}
