import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/buttons/button.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";

export function Component() {
  const start = useMay("operator") && (
    <ButtonLink kind="primary" to="/rollouts/new">
      {texts.rollouts.start}
    </ButtonLink>
  );
  return <NounList noun="rollouts" create={start} />;
}
