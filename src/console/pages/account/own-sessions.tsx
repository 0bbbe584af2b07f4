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
      {ending !== null && <ConfirmEnd ending={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

function ConfirmEnd({ ending, onClose }: { ending: Session | "others"; onClose: () => void }) {
  const tell = useNotice();
  const whenEnded = ({ ended }: { ended: number }) => {
    tell(words.ended(counted(ended, texts.users.session, texts.users.sessions)));
    onClose();
  };
  const one = useAct("auth.end-session", whenEnded);
  const others = useAct("auth.end-other-sessions", whenEnded);
  const isOthers = ending === "others";
  const act = isOthers ? others : one;
  return (
    <Confirm
      title={isOthers ? words.endOthersTitle : words.endTitle}
      verb={isOthers ? words.endOthers : words.end}
      busy={act.isPending}
      error={act.error}
      onConfirm={() =>
        isOthers ? others.mutate({}) : one.mutate({ params: { sessionId: ending.id } })
      }
      onClose={onClose}
    >
      <p>{isOthers ? words.endOthersSays : words.endSays(ending.ip ?? words.unknown)}</p>
    </Confirm>
  );
}
