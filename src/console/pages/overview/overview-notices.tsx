// What somebody should look at: requests for approval, what ran without one, and paused schedules.

import { Link } from "react-router";
import { type ApprovalSummary, useWaiting } from "../../approvals/approval.ts";
import { useDecidable } from "../../approvals/decidable.ts";
import { usePage } from "../../client/queries.ts";
import { count } from "../../format/number.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";
import { Time } from "../../values/time.tsx";
import { PausedBanner } from "../schedules/pause-all.tsx";

const words = texts.overview.notices;
const listed = 3;
const weekMs = 7 * 86_400_000;

export function OverviewNotices({ allPaused }: { allPaused: boolean }) {
  return (
    <div className="overview-notices">
      {allPaused && <PausedBanner />}
      <Bypasses />
      <Pending />
    </div>
  );
}

function Pending() {
  const { data } = useWaiting();
  const requests = data?.data ?? [];
  const isDecidable = useDecidable(requests);
  if (!data || requests.length === 0) return null;
  const yours = requests.filter(isDecidable);
  const ordered = [...yours, ...requests.filter((each) => !isDecidable(each))];
  const { total } = data.pagination;
  return (
    <section className="card" aria-label={texts.approvals.waiting.title}>
      <header className="row section-header">
        <h2>
          {yours.length > 0 ? words.decide(count(yours.length)) : words.pending(count(total))}
        </h2>
        <Link to="/approvals">{words.inbox}</Link>
      </header>
      <Requests requests={ordered} total={total} at={({ createdAt }) => createdAt} />
    </section>
  );
}

function Bypasses() {
  const query = { state: "BYPASSED", sort: "-createdAt", pageSize: 20 } as const;
  const { data } = usePage("approvals.list", { query });
  const now = useNow();
  const recent = (data?.data ?? []).filter(({ createdAt }) => now - Date.parse(createdAt) < weekMs);
  if (recent.length === 0) return null;
  const title = words.bypassed(count(recent.length));
  return (
    <section className="card overview-bypasses" aria-label={title}>
      <h2>{title}</h2>
      <Requests
        requests={recent}
        total={recent.length}
        at={({ createdAt }) => createdAt}
        why={({ stateReason }) => stateReason}
      />
    </section>
  );
}

interface RequestsProps {
  requests: readonly ApprovalSummary[];
  total: number;
  at: (request: ApprovalSummary) => string;
  why?: (request: ApprovalSummary) => string | null;
}

function Requests({ requests, total, at, why = ({ reason }) => reason }: RequestsProps) {
  const more = total - Math.min(listed, requests.length);
  return (
    <ul className="plain">
      {requests.slice(0, listed).map((request) => (
        <li key={request.id}>
          <NounLink to="approvals" id={request.id}>
            {request.title}
          </NounLink>{" "}
          <span className="muted">
            {words.bypass(request.requester.name)}, <Time at={at(request)} />
            {why(request) && `: ${why(request)}`}
          </span>
        </li>
      ))}
      {more > 0 && <li className="muted">{words.more(count(more))}</li>}
    </ul>
  );
}
