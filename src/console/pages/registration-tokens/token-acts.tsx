// What an operator may do with a registration token: revoke it, and forget one that lets nobody in.

import { type ReactNode, useState } from "react";
import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { useNotice } from "../../components/notices.tsx";
import { texts } from "../../texts/index.ts";
import { AgentLink } from "../../values/links.tsx";

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
  const { happens, usedHappens, toAgent } = words.revoke;
  return (
    <Ask act="revoke" token={token} onClose={onClose}>
      {token.usedByAgentId ? (
        <p>
          {usedHappens} <AgentLink id={token.usedByAgentId}>{toAgent}</AgentLink>
        </p>
      ) : (
        <p>{happens}</p>
      )}
    </Ask>
  );
}

function Remove({ token, onClose }: ActProps) {
  return (
    <Ask act="remove" token={token} onClose={onClose}>
      <p>{words.remove.happens}</p>
    </Ask>
  );
}

const routes = {
  revoke: "registration-tokens.revoke",
  remove: "registration-tokens.delete",
} as const;

function Ask({
  act,
  token,
  onClose,
  children,
}: ActProps & { act: keyof typeof routes; children: ReactNode }) {
  const { verb, title, done } = words[act];
  const tell = useNotice();
  const doing = useAct(routes[act], () => {
    onClose();
    tell(done(titleOf(token)));
  });
  return (
    <Confirm
      title={title(titleOf(token))}
      verb={verb}
      danger
      busy={doing.isPending}
      error={doing.error}
      onConfirm={() => doing.mutate({ params: { tokenId: token.id } })}
      onClose={onClose}
    >
      {children}
    </Confirm>
  );
}

/** The end of the id tells those apart that nobody has named. */
function titleOf({ id, name }: Token): string {
  return name ?? `…${id.slice(-6)}`;
}
