// One's own sessions: where they are, and how to end one or all others.

import { useState } from "react";
import { useAct, useCall } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Failure } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { counted } from "../../format/number.ts";
import { type Session, Sessions } from "../../lists/sessions.tsx";
import { texts } from "../../texts/index.ts";

const words = texts.account.sessions;

export function OwnSessions() {
  const { data: sessions, error, refetch } = useCall("auth.sessions", {});
  const [ending, setEnding] = useState<Session | "others" | null>(null);
  if (!sessions) {
    return error ? <Failure error={error} onRetry={() => void refetch()} /> : texts.words.loading;
  }
  const close = () => setEnding(null);
  const act = (session: Session) =>
    !session.current && (
      <Button
        aria-label={words.endLabel(session.ip ?? words.unknown)}
        onClick={() => setEnding(session)}
      >
        {words.end}
      </Button>
    );
  return (
    <>
      <Sessions label={words.title} sessions={sessions} act={act} />
      {sessions.length > 1 && (
        <Button onClick={() => setEnding("others")}>{words.endOthers}</Button>
      )}
      {ending === "others" && <ConfirmOthers onClose={close} />}
      {ending !== null && ending !== "others" && <ConfirmOne session={ending} onClose={close} />}
    </>
  );
}

function useEnded(onClose: () => void) {
  const tell = useNotice();
  return ({ ended }: { ended: number }) => {
    tell(words.ended(counted(ended, texts.users.session, texts.users.sessions)));
    onClose();
  };
}

function ConfirmOne({ session: { id, ip }, onClose }: { session: Session; onClose: () => void }) {
  const end = useAct("auth.end-session", useEnded(onClose));
  return (
    <Confirm
      title={words.endTitle}
      verb={words.end}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({ params: { sessionId: id } })}
      onClose={onClose}
    >
      <p>{words.endSays(ip ?? words.unknown)}</p>
    </Confirm>
  );
}

function ConfirmOthers({ onClose }: { onClose: () => void }) {
  const end = useAct("auth.end-other-sessions", useEnded(onClose));
  return (
    <Confirm
      title={words.endOthersTitle}
      verb={words.endOthers}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({})}
      onClose={onClose}
    >
      <p>{words.endOthersSays}</p>
    </Confirm>
  );
}
