// The page of a request for approval: what runs, whose approval it needs, and the decisions.

import { useParams } from "react-router";
import { type Approval, requesterName, useApproval } from "../../approvals/approval.ts";
import { Requirements } from "../../approvals/requirements.tsx";
import { Outcome, Withdraw } from "../../approvals/waiting.tsx";
import { Help } from "../../components/help.tsx";
import { Section } from "../../components/page.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { personName } from "../../format/person.ts";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ApprovalContent } from "./approval-content.tsx";
import { DecisionButtons } from "./decide.tsx";
import "./approvals.css";

const words = texts.approvals;

export function Component() {
  const { approvalId = "" } = useParams();
  const query = useApproval(approvalId);
  const approval = query.data;
  return (
    <NounPage
      noun={nouns.approvals}
      query={query}
      acts={
        approval && (
          <>
            {/* Approvers can reject the request instead, with a reason. */}
            {!approval.mayDecide && <Withdraw approval={approval} />}
            <DecisionButtons approval={approval} />
          </>
        )
      }
    >
      {(loaded) => <Content approval={loaded} />}
    </NounPage>
  );
}

function Content({ approval }: { approval: Approval }) {
  const isOpen = approval.state === "AWAITING_APPROVAL";
  return (
    <>
      <section className="card stack tight" aria-label={words.waiting.title}>
        <div role="status">
          <Outcome approval={approval} />
        </div>
        <RequestFacts approval={approval} />
      </section>
      <div className="with-rail">
        <div>
          <Section title={isOpen ? words.detail.what : words.detail.whatRan} card>
            <ApprovalContent approval={approval} />
            <div className="approval-digest muted small">
              {words.detail.digest} <Help of="digest" /> <code>{approval.digest}</code>
              <br />
              {words.detail.digestHint}
            </div>
          </Section>
        </div>
        <div>
          <Section title={words.requirements.title} card>
            <Requirements approval={approval} />
          </Section>
          <Section title={words.decisions.title} card>
            <Decisions approval={approval} />
          </Section>
        </div>
      </div>
      <AuditTrail targetId={approval.id} />
    </>
  );
}

function RequestFacts({ approval }: { approval: Approval }) {
  const { requester, kind, subjectId, commandId, reason, createdAt, expiresAt, endedAt } = approval;
  const subject = kind === "rollout" ? "rollouts" : "schedules";
  return (
    <Facts
      facts={[
        [words.detail.by, <RequesterName key="by" of={requester} />],
        [texts.actions.reason, reason],
        [words.detail.asked, <Time key="asked" at={createdAt} />],
        endedAt === null
          ? [words.detail.expires, <Time key="expires" at={expiresAt} />]
          : [words.detail.ended, <Time key="ended" at={endedAt} />],
        [
          words.detail.command,
          commandId && (
            <NounLink to="commands" id={commandId}>
              {approval.title}
            </NounLink>
          ),
        ],
        [
          kind === "rollout" ? words.runsRollout : words.runsSchedule,
          kind !== "action" && subjectId && (
            <NounLink to={subject} id={subjectId}>
              {approval.title}
            </NounLink>
          ),
        ],
      ]}
    />
  );
}

/** For an API key, shows both its user and its own name. */
function RequesterName({ of }: { of: Approval["requester"] }) {
  const { kind, userId, name } = of;
  if (kind !== "apiKey" || userId === null) return softBreaks(requesterName(of));
  return (
    <Sentence
      text={words.detail.withKey}
      parts={{ user: <NounLink to="users" id={userId} />, name }}
    />
  );
}

type Decision = Approval["decisions"][number];

function Decisions({ approval: { decisions } }: { approval: Approval }) {
  if (decisions.length === 0) return <p className="muted">{words.decisions.none}</p>;
  return (
    <ol className="stack plain approval-decisions" aria-label={words.decisions.title}>
      {decisions.map((decision) => (
        <OneDecision key={`${decision.userId} ${decision.decidedAt}`} of={decision} />
      ))}
    </ol>
  );
}

function OneDecision({ of: { decision, decidedAt, comment, ...person } }: { of: Decision }) {
  return (
    <li>
      <p className="row">
        <strong>{softBreaks(personName(person))}</strong>
        <StatusBadge status={words.decisions.words[decision]} />
        <span className="muted small">
          <Time at={decidedAt} />
        </span>
      </p>
      {comment && <p>{softBreaks(comment)}</p>}
    </li>
  );
}
