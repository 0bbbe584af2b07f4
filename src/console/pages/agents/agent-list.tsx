// The list of agents.

import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { newTokenAddress } from "../registration-tokens/addresses.ts";

export function Component() {
  const mayCreateToken = useMay("operator");
  return (
    <NounList
      noun="agents"
      actions={
        mayCreateToken && (
          <ButtonLink to={newTokenAddress}>{texts.registrationTokens.create}</ButtonLink>
        )
      }
    />
  );
}
