// Notices, each in a short row. Lost data, a broken audit trail, paused schedules and agents that
// run twice come first, then bypassed approvals and open requests.

import { X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { requesterName, useWaiting } from "../../approvals/approval.ts";
import type { Reply } from "../../client/call.ts";
import { ButtonLink, IconButton } from "../../components/buttons/button.tsx";
import { focusMain } from "../../components/focus/focus-main.ts";
import { Explanation } from "../../components/help.tsx";
import { keep, readKept } from "../../components/kept.ts";
import { Cut } from "../../components/text/cut.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import type { Tone } from "../../format/status.ts";
import { LoadingMark } from "../../lists/loaded.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { AgentLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { PausedBanner } from "../schedules/pause-all.tsx";
import { DataLossBanner } from "./data-loss.tsx";
import "./overview-notices.css";

const words = texts.overview.notices;
const { colon, comma } = texts.words;

type Overview = Reply<"overview.get">;

export function OverviewNotices({ overview }: { overview: Overview }) {
  const { schedules, dataLoss, auditBroken, duplicatedAgents } = overview;
  return (
    <div className="overview-notices">
      {dataLoss && <DataLossBanner loss={dataLoss} />}
      {auditBroken && <BrokenTrail />}
      {schedules.allPaused && <PausedBanner />}
      <Duplicated agents={duplicatedAgents} />
    </div>
  );
}

/** These come after the services that need attention. */
export function ApprovalNotices({ overview: { approvals } }: { overview: Overview }) {
  return (
    <div className="overview-notices">
      <Bypasses of={approvals} />
      {approvals.pending > 0 && <Pending />}
    </div>
  );
}

interface NoticeRowProps {
  tone: Tone;
  title: string;
  /** Follows the title, on at most two lines. */
  children: ReactNode;
  actions?: ReactNode;
}

function NoticeRow({ tone, title, children, actions }: NoticeRowProps) {
  return (
    <section className={`notice-row tone-${tone}`} aria-label={title}>
      <Cut>
        <strong>{title}</strong>
        {colon}
        {children}
      </Cut>
      {actions}
    </section>
  );
}

function BrokenTrail() {
  return (
    <NoticeRow
      tone="bad"
      title={words.brokenTrail}
      actions={<ButtonLink to="/audit">{words.openTrail}</ButtonLink>}
    >
      {words.brokenTrailHelp}
    </NoticeRow>
  );
}

function Duplicated({ agents }: { agents: Overview["duplicatedAgents"] }) {
  if (agents.length === 0) return null;
  return (
    <NoticeRow
      tone="bad"
      title={words.duplicated({ many: agents.length })}
      actions={
        <Explanation label={words.why}>
          <p>{words.duplicatedHelp}</p>
        </Explanation>
      }
    >
      {agents.map((agent, index) => (
        <span key={agent.agentId}>
          {index > 0 && comma}
          <AgentLink of={agent} />{" "}
          <span className="muted">
            <Time at={agent.at} />
          </span>
        </span>
      ))}
    </NoticeRow>
  );
}

/** Shows one request, if possible one that the user can decide. */
function Pending() {
  const { data, error } = useWaiting();
  const requests = data?.data ?? [];
  if (!data) return error ? null : <LoadingMark />;
  const yours = requests.filter(({ mayDecide }) => mayDecide);
  const first = yours[0] ?? requests[0];
  if (!first) return null;
  const { total } = data.pagination;
  return (
    <NoticeRow
      tone="busy"
      title={
        yours.length > 0 ? words.decide({ many: yours.length }) : words.pending({ many: total })
      }
      actions={<ButtonLink to="/approvals">{words.inbox}</ButtonLink>}
    >
      <NounLink to="approvals" id={first.id}>
        {first.title}
      </NounLink>{" "}
      <span className="muted">
        <Sentence
          text={words.by}
          parts={{ who: requesterName(first.requester), time: <Time at={first.createdAt} /> }}
        />
        {first.reason && softBreaks(`${colon}${first.reason}`)}
        {total > 1 && ` ${words.more({ many: total - 1 })}`}
      </span>
    </NoticeRow>
  );
}

/** Users can dismiss this. It returns when another approval is bypassed. */
function Bypasses({ of: { bypassed, bypasses } }: { of: Overview["approvals"] }) {
  const [dismissed, setDismissed] = useState(() => readKept("bypass"));
  const [newest] = bypasses;
  if (!newest || newest.approvalId === dismissed) return null;
  const { approvalId, title, by, at, why } = newest;
  const dismiss = () => {
    keep("bypass", approvalId);
    setDismissed(approvalId);
    focusMain();
  };
  return (
    <NoticeRow
      tone="bad"
      title={words.bypassed({ many: bypassed })}
      actions={<IconButton label={words.dismiss} icon={<X />} onClick={dismiss} />}
    >
      <NounLink to="approvals" id={approvalId}>
        {title}
      </NounLink>{" "}
      <span className="muted">
        <Sentence text={words.by} parts={{ who: by, time: <Time at={at} /> }} />
        {colon}
        {softBreaks(why)}{" "}
        {bypassed > 1 && (
          <Link to="/approvals?tab=all&state=BYPASSED">{words.more({ many: bypassed - 1 })}</Link>
        )}
      </span>
    </NoticeRow>
  );
}
