// The list of registration tokens, and the form for a new one, which other pages open by its address.

import { useSearchParams } from "react-router";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { type ListedRow, NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { CreateToken } from "./create-token.tsx";

type Token = ListedRow<"registration-tokens">;

const words = texts.registrationTokens;

const cells = {
  // A used or revoked token lets no agent in, so its expiry does not matter.
  expires: ({ status, expiresAt }: Token) =>
    status === "ACTIVE" || status === "EXPIRED" ? <Time at={expiresAt} /> : "",
};

export function Component() {
  const mayCreate = useMay("operator");
  const [address, setAddress] = useSearchParams();
  const isCreating = mayCreate && address.has("new");
  const setCreating = (isOpen: boolean) =>
    setAddress((before) => {
      const next = new URLSearchParams(before);
      if (isOpen) next.set("new", "1");
      else next.delete("new");
      return next;
    });
  return (
    <NounList
      noun="registration-tokens"
      cells={cells}
      acts={(token) => <TokenActs token={token} />}
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        )
      }
    >
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
    </NounList>
  );
}

function TokenActs({ token }: { token: Token }) {
  const { usedByAgentId } = token;
  const toAgent = usedByAgentId && (
    <p>
      <NounLink to="agents" id={usedByAgentId}>
        {words.toAgent}
      </NounLink>
    </p>
  );
  return <NounActs noun="registration-tokens" row={token} inList more={{ revoke: toAgent }} />;
}
