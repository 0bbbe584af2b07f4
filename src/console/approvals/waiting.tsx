// A request for approval, on the page of the object that waits for it. The live stream keeps it up
// to date.

import { useEffect, useEffectEvent } from "react";
import { useMay } from "../client/session.ts";
import { ButtonLink } from "../components/buttons/button.tsx";
import { Failure } from "../components/failure.tsx";
import { Sentence } from "../components/text/sentence.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { Loading } from "../lists/loaded.tsx";
import { addressOf } from "../nouns/addresses.ts";
import { NounActs } from "../nouns/noun-acts.tsx";
import { texts } from "../texts/index.ts";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";
import { type Approval, useApproval, useIsOwn } from "./approval.ts";
import { Requirements } from "./requirements.tsx";

const words = texts.approvals;

interface WaitingProps {
  id: string;
  /** Called when the request was approved and has become a command. */
  onCommand?: (commandId: string) => void;
}

export function Waiting({ id, onCommand }: WaitingProps) {
  const { data: approval, error, refetch } = useApproval(id);
  const commandId = approval?.state === "APPROVED" ? approval.commandId : null;
  const carryOn = useEffectEvent((made: string) => onCommand?.(made));
  useEffect(() => {
    if (commandId) carryOn(commandId);
  }, [commandId]);
  if (!approval) {
    return (
      <section className="card note" aria-label={words.waiting.title}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </section>
    );
  }
  const isOpen = approval.state === "AWAITING_APPROVAL";
  return (
    <section
      className={isOpen ? "card note stack tight" : "card stack tight"}
      aria-label={words.waiting.title}
    >
      <div className="row">
        <h2>{isOpen ? words.waiting.title : approval.title}</h2>
        {!isOpen && <StatusBadge status={approval.state} />}
      </div>
      <div role="status">
        <Outcome approval={approval} />
      </div>
      {isOpen && <Requirements approval={approval} />}
      <div className="row">
        <ButtonLink to={addressOf("approvals", id)}>{words.waiting.open}</ButtonLink>
        <Withdraw approval={approval} />
        {isOpen && (
          <span className="muted small">
            <Sentence
              text={words.waiting.expires}
              parts={{ time: <Time at={approval.expiresAt} /> }}
            />
          </span>
        )}
      </div>
    </section>
  );
}

/** What has become of the request, and why. */
export function Outcome({ approval }: { approval: Approval }) {
  const { state, stateReason } = approval;
  const isOwn = useIsOwn();
  if (state === "AWAITING_APPROVAL") {
    return <p>{isOwn(approval) ? words.waiting.own : words.waiting.nothingYet}</p>;
  }
  return (
    <>
      <p>{words.ended[state]}</p>
      {stateReason && <p>{softBreaks(words.because({ reason: stateReason }))}</p>}
    </>
  );
}

/** Only the requester and owners may withdraw a request. */
export function Withdraw({ approval }: { approval: Approval }) {
  const isOwner = useMay("owner");
  const isOwn = useIsOwn();
  if (!isOwner && !isOwn(approval)) return null;
  return <NounActs noun="approvals" row={approval} />;
}
