// The requests that wait for approval. Those that the user can decide come first.

import { Link } from "react-router";
import {
  type ApprovalSummary,
  requesterName,
  useIsOwn,
  useWaiting,
} from "../../approvals/approval.ts";
import { Empty } from "../../components/empty.tsx";
import { Section } from "../../components/page.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { count, totalOf } from "../../format/number.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { type Column, column, Table } from "../../lists/table.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { DecisionButtons } from "./decide.tsx";

const words = texts.approvals.inbox;

export function Inbox() {
  const query = useWaiting();
  return (
    <Loaded query={query}>
      {({ data, pagination }) => (
        <>
          <Waiting requests={data} isPart={pagination.total > data.length} />
          {pagination.total > data.length && (
            <p>
              <Link to="/approvals?tab=all&state=AWAITING_APPROVAL">
                {words.more({ many: totalOf(pagination) })}
              </Link>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

interface WaitingProps {
  requests: readonly ApprovalSummary[];
  /** Whether older requests wait, too. */
  isPart: boolean;
}

function Waiting({ requests, isPart }: WaitingProps) {
  if (requests.length === 0) return <Empty>{words.noneAtAll}</Empty>;
  const yours = requests.filter(({ mayDecide }) => mayDecide);
  const others = requests.filter(({ mayDecide }) => !mayDecide);
  return (
    <>
      <Section title={words.yours}>
        {yours.length === 0 ? (
          <Empty>
            {isPart ? words.noneOfNewest({ many: count(requests.length) }) : words.none}
          </Empty>
        ) : (
          <Requests label={words.yours} requests={yours} columns={deciding} />
        )}
      </Section>
      {others.length > 0 && (
        <Section title={words.others}>
          <Requests label={words.others} requests={others} columns={columns} />
        </Section>
      )}
    </>
  );
}

const columns: Column<ApprovalSummary>[] = [
  column(
    "title",
    words.request,
    ({ id, title }) => (
      <NounLink to="approvals" id={id}>
        {title}
      </NounLink>
    ),
    { card: "title" },
  ),
  column("reason", texts.actions.reason, ({ reason }) => reason),
  column("by", words.by, (request) => <Requester of={request} />, { card: "fact" }),
  column("policies", words.policies, ({ policies }) =>
    policies.map(({ policyName }) => policyName).join(texts.words.comma),
  ),
  column("created", texts.approvals.detail.asked, ({ createdAt }) => <Time at={createdAt} />),
  column("expires", texts.words.expires, ({ expiresAt }) => <Time at={expiresAt} />, {
    card: "fact",
  }),
];

const deciding: Column<ApprovalSummary>[] = [
  ...columns,
  column(
    "acts",
    texts.words.change,
    (request) => (
      <div className="row inbox-acts">
        <DecisionButtons approval={request} inList />
      </div>
    ),
    { whole: true, card: "acts" },
  ),
];

function Requester({ of }: { of: ApprovalSummary }) {
  const isOwn = useIsOwn();
  return isOwn(of) ? words.you : softBreaks(requesterName(of.requester));
}

interface RequestsProps {
  label: string;
  requests: readonly ApprovalSummary[];
  columns: Column<ApprovalSummary>[];
}

function Requests({ label, requests, columns }: RequestsProps) {
  return (
    <Table
      name="approvals-inbox"
      label={label}
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
    />
  );
}
