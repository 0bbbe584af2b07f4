// The buttons that approve and reject a request.

import { useState } from "react";
import type { Approval } from "../../approvals/approval.ts";
import { ApiError } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { texts } from "../../texts/index.ts";

const words = texts.approvals;

export function DecisionButtons({ approval }: { approval: Approval }) {
  const [asked, setAsked] = useState<"approve" | "reject" | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {approval.mayDecide && (
        <>
          <Button onClick={() => setAsked("reject")}>{words.reject.verb}</Button>
          <Button kind="primary" onClick={() => setAsked("approve")}>
            {words.approve.verb}
          </Button>
        </>
      )}
      {asked === "approve" && <Approve approval={approval} onClose={close} />}
      {asked === "reject" && <Reject approval={approval} onClose={close} />}
    </>
  );
}

interface DecideProps {
  approval: Approval;
  onClose: () => void;
}

function Approve({ approval, onClose }: DecideProps) {
  // The request as the user had read it when the dialog opened.
  const [{ id, title, digest, kind, requirements }] = useState(approval);
  const [comment, setComment] = useState("");
  const notify = useNotice();
  const { error, isPending, mutate } = useAct("approvals.approve", () => {
    notify(words.approve.done);
    onClose();
  });
  if (error instanceof ApiError && error.code === "APPROVAL_DIGEST_MISMATCH") {
    return (
      <Dialog
        title={words.approve.title({ title })}
        onClose={onClose}
        actions={
          <Button kind="primary" onClick={onClose}>
            {texts.words.close}
          </Button>
        }
      >
        <p role="alert">{words.approve.changed}</p>
      </Dialog>
    );
  }
  const missing = requirements.reduce(
    (sum, { approvals, approvedBy }) => sum + Math.max(0, approvals - approvedBy.length),
    0,
  );
  const isLast = missing <= 1;
  const effect = kind === "schedule" ? words.approve.schedule : words.approve.runs;
  return (
    <FormDialog
      title={words.approve.title({ title })}
      verb={words.approve.verb}
      busy={isPending}
      onSubmit={() =>
        mutate({
          params: { approvalId: id },
          body: { digest, ...(comment.trim() ? { comment: comment.trim() } : {}) },
        })
      }
      onClose={onClose}
    >
      <p>{isLast ? effect : words.approve.counts}</p>
      <TextField
        label={words.approve.comment}
        hint={words.approve.commentHint}
        maxLength={500}
        value={comment}
        onChange={setComment}
      />
      <p className="muted small">
        {words.approve.digest} <code>{digest}</code>
      </p>
      <Refusal error={error} />
    </FormDialog>
  );
}

function Reject({ approval, onClose }: DecideProps) {
  const [reason, setReason] = useState("");
  const notify = useNotice();
  const { error, isPending, mutate } = useAct("approvals.reject", () => {
    notify(words.reject.done);
    onClose();
  });
  return (
    <FormDialog
      title={words.reject.title({ title: approval.title })}
      verb={words.reject.verb}
      danger
      isHeld={reason.trim() === ""}
      busy={isPending}
      onSubmit={() =>
        mutate({ params: { approvalId: approval.id }, body: { reason: reason.trim() } })
      }
      onClose={onClose}
    >
      <p>{words.reject.what}</p>
      <TextField
        label={words.reject.reason}
        hint={words.reject.reasonHint}
        required
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
      <Refusal error={error} />
    </FormDialog>
  );
}

function Refusal({ error }: { error: unknown }) {
  const refusals: Readonly<Record<string, string>> = words.errors;
  const text = error instanceof ApiError ? refusals[error.code] : undefined;
  if (text === undefined) return <Failure error={error} />;
  return (
    <p className="failure" role="alert">
      {text}
    </p>
  );
}
