// Notices that somebody should look at: lost data, paused schedules and agents that run twice first,
// then approvals that were bypassed, and open requests for approval.

import { Link } from "react-router";
import { requesterName, useWaiting } from "../../approvals/approval.ts";
import type { Reply } from "../../client/call.ts";
import { Sentence } from "../../components/sentence.tsx";
import { LoadingMark } from "../../lists/loaded.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { PausedBanner } from "../schedules/pause-all.tsx";
import { DataLossBanner } from "./data-loss.tsx";

const words = texts.overview.notices;
const { colon } = texts.words;
const listed = 3;

type Overview = Reply<"overview.get">;

export function OverviewNotices({ overview }: { overview: Overview }) {
  const { schedules, dataLoss, duplicatedAgents } = overview;
  return (
    <div className="overview-notices">
      {dataLoss && <DataLossBanner loss={dataLoss} />}
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

function Duplicated({ agents }: { agents: Overview["duplicatedAgents"] }) {
  if (agents.length === 0) return null;
  const title = words.duplicated({ many: agents.length });
  return (
    <section className="card overview-alarm" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">{words.duplicatedHelp}</p>
      <ul className="plain">
        {agents.map(({ agentId, agentCode, at }) => (
          <li key={agentId}>
            <NounLink to="agents" id={agentId}>
              {agentCode}
            </NounLink>{" "}
            <span className="muted">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** First the requests that the user can decide. */
function Pending() {
  const { data, error } = useWaiting();
  const requests = data?.data ?? [];
  if (!data) return error ? null : <LoadingMark />;
  if (requests.length === 0) return null;
  const yours = requests.filter(({ mayDecide }) => mayDecide);
  const ordered = [...yours, ...requests.filter(({ mayDecide }) => !mayDecide)];
  const { total } = data.pagination;
  const more = total - Math.min(listed, requests.length);
  return (
    <section className="card" aria-label={texts.approvals.waiting.title}>
      <header className="row section-header">
        <h2>
          {yours.length > 0 ? words.decide({ many: yours.length }) : words.pending({ many: total })}
        </h2>
        <Link to="/approvals">{words.inbox}</Link>
      </header>
      <ul className="plain">
        {ordered.slice(0, listed).map(({ id, title, requester, createdAt, reason }) => (
          <li key={id}>
            <NounLink to="approvals" id={id}>
              {title}
            </NounLink>{" "}
            <span className="muted">
              <Sentence
                text={words.by}
                parts={{ who: requesterName(requester), time: <Time at={createdAt} /> }}
              />
              {reason && `${colon}${reason}`}
            </span>
          </li>
        ))}
        {more > 0 && <li className="muted">{words.more({ many: more })}</li>}
      </ul>
    </section>
  );
}

function Bypasses({ of: { bypassed, bypasses } }: { of: Overview["approvals"] }) {
  if (bypassed === 0) return null;
  const title = words.bypassed({ many: bypassed });
  const more = bypassed - Math.min(listed, bypasses.length);
  return (
    <section className="card overview-alarm" aria-label={title}>
      <h2>{title}</h2>
      <ul className="plain">
        {bypasses.slice(0, listed).map(({ approvalId, title: what, by, at, why }) => (
          <li key={approvalId}>
            <NounLink to="approvals" id={approvalId}>
              {what}
            </NounLink>{" "}
            <span className="muted">
              <Sentence text={words.by} parts={{ who: by, time: <Time at={at} /> }} />
              {colon}
              {why}
            </span>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Link to="/approvals?tab=all&state=BYPASSED">{words.more({ many: more })}</Link>
          </li>
        )}
      </ul>
    </section>
  );
}
