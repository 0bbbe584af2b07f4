// What an operator may do with a registration token: revoke it, and forget one that lets nobody in.

import { useState } from "react";
import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { AgentLink } from "../../components/links.tsx";
import { useNotice } from "../../components/notices.tsx";
import { texts } from "../../texts/index.ts";

type Token = Reply<"registration-tokens.list">[number];

interface ActProps {
  token: Token;
  onClose: () => void;
}

const words = texts.registrationTokens;

export function TokenActs({ token }: { token: Token }) {
  const [asked, setAsked] = useState<"revoke" | "remove" | null>(null);
  const close = () => setAsked(null);
  const name = titleOf(token);
  return (
    <div className="row">
      {(token.status === "ACTIVE" || token.status === "USED") && (
        <Button aria-label={words.revoke.of(name)} onClick={() => setAsked("revoke")}>
          {words.revoke.verb}
        </Button>
      )}
      {token.status !== "ACTIVE" && (
        <Button aria-label={words.remove.of(name)} onClick={() => setAsked("remove")}>
          {words.remove.verb}
        </Button>
      )}
      {asked === "revoke" && <Revoke token={token} onClose={close} />}
      {asked === "remove" && <Remove token={token} onClose={close} />}
    </div>
  );
}

function Revoke({ token, onClose }: ActProps) {
  const { verb, title, happens, usedHappens, toAgent, done } = words.revoke;
  const tell = useNotice();
  const act = useAct("registration-tokens.revoke", () => {
    onClose();
    tell(done(titleOf(token)));
  });
  return (
    <Confirm
      title={title(titleOf(token))}
      verb={verb}
      danger
      busy={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { tokenId: token.id } })}
      onClose={onClose}
    >
      {token.usedByAgentId ? (
        <p>
          {usedHappens} <AgentLink id={token.usedByAgentId}>{toAgent}</AgentLink>
        </p>
      ) : (
        <p>{happens}</p>
      )}
    </Confirm>
  );
}

function Remove({ token, onClose }: ActProps) {
  const { verb, title, happens, done } = words.remove;
  const tell = useNotice();
  const act = useAct("registration-tokens.delete", () => {
    onClose();
    tell(done(titleOf(token)));
  });
  return (
    <Confirm
      title={title(titleOf(token))}
      verb={verb}
      danger
      busy={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { tokenId: token.id } })}
      onClose={onClose}
    >
      <p>{happens}</p>
    </Confirm>
  );
}

/** The end of the id tells those apart that nobody has named. */
function titleOf({ id, name }: Token): string {
  return name ?? `…${id.slice(-6)}`;
}
