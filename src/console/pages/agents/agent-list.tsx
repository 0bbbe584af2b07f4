import { NounList } from "../../nouns/noun-list.tsx";
import { CreateTokenLink } from "../registration-tokens/create-token-link.tsx";

export function Component() {
  return <NounList noun="agents" actions={<CreateTokenLink />} />;
}
