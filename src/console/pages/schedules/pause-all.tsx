// Pauses all schedules together, for example for maintenance, and resumes them.

import { useEffect, useEffectEvent, useState } from "react";
import { useAct, useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { messageOf } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { useOpened } from "../../components/use-parameters.ts";
import { TextField } from "../../fields/inputs.tsx";
import { LoadingMark } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

const words = texts.schedules;

function usePause() {
  return useCall("schedules.pause-state", {});
}

/** Shows nothing unless all schedules are paused. */
export function PausedBanner() {
  const { data: pause, isPending } = usePause();
  const mayAct = useMay("operator");
  return (
    <div role="status">
      {isPending && <LoadingMark />}
      {pause?.paused && (
        <div className="card note row tight">
          <p>
            <strong>{words.pauseAll.banner}</strong>{" "}
            {pause.since !== null && (
              <Sentence
                text={pause.by === null ? words.pauseAll.since : words.pauseAll.sinceBy}
                parts={{ time: <Time at={pause.since} />, who: pause.by }}
              />
            )}
            {pause.reason !== null && softBreaks(`${texts.words.colon}${pause.reason}`)}
          </p>
          {mayAct && (
            <DialogButton text={words.resumeAll.verb}>
              {(close) => <ResumeAll onClose={close} />}
            </DialogButton>
          )}
        </div>
      )}
    </div>
  );
}

/** `?pause=1` in the URL also opens the dialog, unless all schedules are already paused. */
export function PauseAllButton() {
  const { data: pause, refetch } = usePause();
  const [isAsked, forget] = useOpened("pause");
  // The dialog stays open if somebody else pauses the schedules.
  const [isOpen, setOpen] = useState(false);
  const notify = useNotice();
  const openUnlessPaused = useEffectEvent(({ data, error }: ReturnType<typeof usePause>) => {
    forget();
    // After an error, `data` is from an earlier response.
    if (error) notify(messageOf(error));
    else if (!data?.paused) setOpen(true);
  });
  useEffect(() => {
    if (!isAsked) return undefined;
    let isShown = true;
    // The cache may contain an earlier response.
    void refetch().then((result) => isShown && openUnlessPaused(result));
    return () => {
      isShown = false;
    };
  }, [isAsked, refetch]);
  return (
    <>
      {pause?.paused === false && (
        <Button onClick={() => setOpen(true)}>{words.pauseAll.verb}</Button>
      )}
      {isOpen && <PauseAll onClose={() => setOpen(false)} />}
    </>
  );
}

function PauseAll({ onClose }: { onClose: () => void }) {
  const { verb, title, what, reason: label, reasonHint, done } = words.pauseAll;
  const [reason, setReason] = useState("");
  const notify = useNotice();
  const { mutate, isPending, error } = useAct("schedules.pause-all", () => {
    notify(done);
    onClose();
  });
  return (
    <Confirm
      title={title}
      verb={verb}
      busy={isPending}
      error={error}
      onConfirm={() => mutate({ body: reason.trim() ? { reason: reason.trim() } : {} })}
      onClose={onClose}
    >
      <p>{what}</p>
      <TextField
        label={label}
        hint={reasonHint}
        maxLength={500}
        value={reason}
        onChange={setReason}
      />
    </Confirm>
  );
}

function ResumeAll({ onClose }: { onClose: () => void }) {
  const { verb, title, what, done } = words.resumeAll;
  const notify = useNotice();
  const { mutate, isPending, error } = useAct("schedules.resume-all", () => {
    notify(done);
    onClose();
  });
  return (
    <Confirm
      title={title}
      verb={verb}
      busy={isPending}
      error={error}
      onConfirm={() => mutate({})}
      onClose={onClose}
    >
      <p>{what}</p>
    </Confirm>
  );
}
