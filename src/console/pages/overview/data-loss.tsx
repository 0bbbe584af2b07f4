// Says that confirmed changes were lost. Schedules and rollouts continue after an owner has
// accepted the loss.

import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { useNotice } from "../../components/notices.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

const words = texts.overview.dataLoss;

type Loss = NonNullable<Reply<"overview.get">["dataLoss"]>;

export function DataLossBanner({ loss: { since, host } }: { loss: Loss }) {
  const isOwner = useMay("owner");
  return (
    <div className="card note row tight" role="alert">
      <p>
        <strong>{words.banner}</strong>{" "}
        <Sentence text={words.since} parts={{ time: <Time at={since} />, host }} /> {words.held}
        {!isOwner && ` ${words.askOwner}`}
      </p>
      {isOwner && (
        <DialogButton text={words.verb}>{(close) => <Accept onClose={close} />}</DialogButton>
      )}
    </div>
  );
}

function Accept({ onClose }: { onClose: () => void }) {
  const notify = useNotice();
  const { mutate, isPending, error } = useAct("maintenance.accept-data-loss", () => {
    notify(words.done);
    onClose();
  });
  return (
    <Confirm
      title={words.title}
      verb={words.verb}
      busy={isPending}
      error={error}
      onConfirm={() => mutate({})}
      onClose={onClose}
    >
      <p>{words.what}</p>
    </Confirm>
  );
}
