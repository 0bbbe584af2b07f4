// The buttons that approve and reject a request.

import { useLayoutEffect, useRef, useState } from "react";
import { type Approval, type ApprovalSummary, useApproval } from "../../approvals/approval.ts";
import { ApiError } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useAsk } from "../../components/dialogs/page-dialog.ts";
import { Failure } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { Loading } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { ApprovalContent } from "./approval-content.tsx";
import "./approvals.css";

const words = texts.approvals;

interface DecisionButtonsProps {
  approval: Pick<ApprovalSummary, "id" | "title" | "mayDecide">;
  /**
   * In a list, the labels of the buttons name the request, and the dialog for approving it shows
   * what will run.
   */
  inList?: true;
}

export function DecisionButtons({ approval, inList }: DecisionButtonsProps) {
  const { id, title, mayDecide } = approval;
  const ask = useAsk();
  const props = { id, title, onClose: () => ask(null) };
  const label = (verb: string) => (inList ? { "aria-label": `${verb} ${title}` } : {});
  if (!mayDecide) return null;
  return (
    <>
      <Button {...label(words.reject.verb)} onClick={() => ask(<Reject {...props} />)}>
        {words.reject.verb}
      </Button>
      <Button
        kind={inList ? "plain" : "primary"}
        {...label(words.approve.verb)}
        onClick={() => ask(<ReadAndApprove {...props} inList={inList} />)}
      >
        {words.approve.verb}
      </Button>
    </>
  );
}

interface DecideProps {
  onClose: () => void;
}

interface ReadAndApproveProps extends DecideProps {
  id: string;
  title: string;
  inList: true | undefined;
}

/** Reads the request first, because a list has only a summary without the digest. */
function ReadAndApprove({ id, title, ...props }: ReadAndApproveProps) {
  const { data, error, refetch } = useApproval(id);
  if (data) return <Approve approval={data} {...props} />;
  return (
    <Dialog title={words.approve.title({ title })} onClose={props.onClose}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  );
}

interface ApproveProps extends DecideProps {
  approval: Approval;
  inList: true | undefined;
}

function Approve({ approval, inList, onClose }: ApproveProps) {
  // The user approves the request as it was when the dialog opened.
  const [read] = useState(approval);
  const { id, title, digest, kind, wouldSuffice } = read;
  const [comment, setComment] = useState("");
  const content = useRef<HTMLElement>(null);
  // The focus is in the field below the content. The user should read the content from the top.
  useLayoutEffect(() => {
    content.current?.scrollIntoView({ block: "start" });
  }, []);
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
  const effect = kind === "schedule" ? words.approve.schedule : words.approve.runs;
  return (
    <FormDialog
      title={words.approve.title({ title })}
      verb={words.approve.verb}
      wide={inList !== undefined}
      busy={isPending}
      onSubmit={() =>
        mutate({
          params: { approvalId: id },
          body: { digest, ...(comment.trim() ? { comment: comment.trim() } : {}) },
        })
      }
      onClose={onClose}
    >
      {inList && (
        <section ref={content} aria-label={words.detail.what}>
          <ApprovalContent approval={read} />
        </section>
      )}
      <p>{wouldSuffice ? effect : words.approve.counts}</p>
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

interface RejectProps extends DecideProps {
  id: string;
  title: string;
}

function Reject({ id, title, onClose }: RejectProps) {
  const [reason, setReason] = useState("");
  const notify = useNotice();
  const { error, isPending, mutate } = useAct("approvals.reject", () => {
    notify(words.reject.done);
    onClose();
  });
  return (
    <FormDialog
      title={words.reject.title({ title })}
      verb={words.reject.verb}
      danger
      isHeld={reason.trim() === ""}
      busy={isPending}
      onSubmit={() => mutate({ params: { approvalId: id }, body: { reason: reason.trim() } })}
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
