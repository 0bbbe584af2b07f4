import { FirstSteps } from "../../first-steps/first-steps.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { CreateTokenLink } from "../registration-tokens/create-token-link.tsx";

const inRow = ["disable", "enable"];

export function Component() {
  return (
    <NounList
      noun="agents"
      create={<CreateTokenLink />}
      emptyHint={<FirstSteps otherwise={<CreateTokenLink kind="primary" />} />}
      acts={(row) => <NounActs noun="agents" row={row} inList only={inRow} />}
    />
  );
}
