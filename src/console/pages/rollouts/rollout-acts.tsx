// The buttons on the page of a rollout: pause, resume, cancel and retry.

import { useState } from "react";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/buttons/button.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { texts } from "../../texts/index.ts";
import { mayBeRetried, openCount, type Rollout } from "./rollout.ts";

const words = texts.rollouts.retry;

export function RolloutActs({ rollout }: { rollout: Rollout }) {
  const mayAct = useMay("operator");
  const [commands, setCommands] = useState(false);
  const open = openCount(rollout);
  const cancelCommands = (
    <label className="row">
      <input
        type="checkbox"
        checked={commands}
        onChange={({ target }) => setCommands(target.checked)}
      />
      {texts.rollouts.cancelCommands({ open })}
    </label>
  );
  return (
    <>
      <NounActs
        noun="rollouts"
        row={rollout}
        more={open > 0 ? { cancel: cancelCommands } : {}}
        queries={{ cancel: { commands } }}
      />
      {mayAct && mayBeRetried(rollout) && rollout.ifUnchanged && (
        <p className="muted small">
          {words.prepares} <code>platformctl rollouts retry {rollout.id}</code>
        </p>
      )}
      {mayAct && mayBeRetried(rollout) && !rollout.ifUnchanged && (
        <ButtonLink kind="primary" to={`${addressOf("rollouts", rollout.id)}/retry`}>
          {words.verb}
        </ButtonLink>
      )}
    </>
  );
}
