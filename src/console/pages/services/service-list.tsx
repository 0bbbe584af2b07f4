import { Link } from "react-router";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";

export function Component() {
  return (
    <NounList noun="services" emptyHint={<Link to="/agents">{texts.services.toAgents}</Link>} />
  );
}
