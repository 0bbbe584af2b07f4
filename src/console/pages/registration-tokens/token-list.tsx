// The list of registration tokens, and the form for a new token, which `?new=1` opens.

import { useSearchParams } from "react-router";
import { useMay } from "../../client/session.ts";
import { useOpened } from "../../components/use-parameters.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { type ListedRow, NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { CreateToken } from "./create-token.tsx";
import { CreateTokenLink } from "./create-token-link.tsx";

type Token = ListedRow<"registration-tokens">;

export function Component() {
  const mayCreate = useMay("operator");
  const [address] = useSearchParams();
  const [isNew, close] = useOpened("new");
  return (
    <NounList
      noun="registration-tokens"
      acts={(token) => (
        <NounActs noun="registration-tokens" row={token} inList more={{ revoke: toAgent(token) }} />
      )}
      actions={<CreateTokenLink kind="primary" filters={address} />}
    >
      {mayCreate && isNew && <CreateToken onClose={close} />}
    </NounList>
  );
}

function toAgent({ usedByAgentId }: Token) {
  if (usedByAgentId === null) return null;
  return (
    <p>
      <NounLink to="agents" id={usedByAgentId}>
        {texts.registrationTokens.toAgent}
      </NounLink>
    </p>
  );
}
