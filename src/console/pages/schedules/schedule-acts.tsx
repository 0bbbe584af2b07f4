// The buttons on the page of a schedule.

import { useState } from "react";
import { useApproval } from "../../approvals/approval.ts";
import {
  ApprovalNeeded,
  type BypassState,
  GlassReason,
  useBypassState,
} from "../../approvals/break-glass.tsx";
import type { Input } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button, ButtonLink } from "../../components/buttons/button.tsx";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { useNotice } from "../../components/notices.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { type Schedule, targetText } from "./schedule.ts";

const words = texts.schedules;

interface ActProps {
  schedule: Schedule;
  onClose: () => void;
}

const harmlessActs = Object.keys(nouns.schedules.acts).filter((word) => word !== "delete");

export function ScheduleActs({ schedule }: { schedule: Schedule }) {
  // The dialog stays open if somebody else approves the schedule.
  const [isBreaking, setBreaking] = useState(false);
  const mayAct = useMay("operator");
  const mayBreak = useMay("owner");
  return (
    <>
      <NounActs noun="schedules" row={schedule} only={["delete"]} />
      {mayBreak && schedule.approvalState !== null && (
        <Button kind="danger" onClick={() => setBreaking(true)}>
          {words.now.breakGlass}
        </Button>
      )}
      {isBreaking && <BreakGlass schedule={schedule} onClose={() => setBreaking(false)} />}
      {mayAct && (
        <DialogButton text={words.runNow.verb}>
          {(close) => <RunNow schedule={schedule} onClose={close} />}
        </DialogButton>
      )}
      <NounActs noun="schedules" row={schedule} only={harmlessActs} />
      {mayAct && (
        <ButtonLink kind="primary" to={`${addressOf("schedules", schedule.id)}/edit`}>
          {texts.words.edit}
        </ButtonLink>
      )}
    </>
  );
}

/** Returns the policies of the request for approval, if the schedule lacks approval. */
function usePolicies({ approvalId, approvalState }: Schedule): string[] {
  const { data } = useApproval(approvalState === null ? null : approvalId);
  return data?.policies.map(({ policyName }) => policyName) ?? [];
}

function RunNow({ onClose, ...props }: ActProps) {
  // What the user confirms is the content that the page showed when the dialog opened.
  const [schedule] = useState(props.schedule);
  const { verb, title, what, done, failed, waits } = words.runNow;
  const notify = useNotice();
  const glass = useBypassState();
  const policies = usePolicies(props.schedule);
  const { mutate, isPending, error } = useAct("schedules.run", ({ state, errorMessage }) => {
    const isFailed = state === "FAILED" || state === "SKIPPED";
    notify(isFailed ? failed({ why: errorMessage ?? "" }) : state === "WAITING" ? waits : done);
    onClose();
  });
  return (
    <Confirm
      title={title({ name: schedule.name })}
      verb={glass.isBroken ? texts.approvals.glass.verb : verb}
      danger={glass.isBroken}
      isHeld={glass.isHeld}
      busy={isPending}
      error={error}
      onConfirm={() =>
        mutate({
          params: { scheduleId: schedule.id },
          body: { ...glass.body, version: schedule.version },
        })
      }
      onClose={onClose}
    >
      <p>{what({ target: targetText(schedule) })}</p>
      <ApprovalNeeded policies={policies} glass={glass} />
    </Confirm>
  );
}

/** Bypasses the missing approval by saving the same content again. */
function BreakGlass({ onClose, ...props }: ActProps) {
  // The user bypasses approval of the content that the page showed when the dialog opened.
  const [schedule] = useState(props.schedule);
  const glass = useBypassState(true);
  const notify = useNotice();
  const { mutate, isPending, error } = useAct("schedules.update", ({ name }) => {
    notify(words.form.saved({ name }));
    onClose();
  });
  return (
    <Confirm
      title={words.now.glassTitle({ name: schedule.name })}
      verb={texts.approvals.glass.verb}
      danger
      isHeld={glass.isHeld}
      busy={isPending}
      error={error}
      onConfirm={() =>
        mutate({ params: { scheduleId: schedule.id }, body: sameContent(schedule, glass) })
      }
      onClose={onClose}
    >
      <GlassReason glass={glass} />
    </Confirm>
  );
}

function sameContent(schedule: Schedule, glass: BypassState): Input<"schedules.update">["body"] {
  const { name, description, state, cron, everySeconds, timezone, until } = schedule;
  const { target, missed, overlap, version } = schedule;
  return {
    name,
    description,
    state,
    cron,
    everySeconds,
    timezone,
    until,
    missed,
    overlap,
    version,
    target: target as unknown as Input<"schedules.update">["body"]["target"],
    ...glass.body,
  };
}
