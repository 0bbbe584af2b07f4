// Shows the differences if the agent did not run the action because the state had changed.

import { stateChangesOf } from "../../../domain/commands/state-changes.ts";
import type { Json } from "../../../domain/payload/json.ts";
import type { Command } from "../../client/command.ts";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/buttons/button.tsx";
import { actionPath } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { ValueView } from "../../values/value-view.tsx";

const words = texts.commands.stateChanges;

/** Shows nothing for all other commands. */
export function StateChanges({ command }: { command: Command }) {
  const mayRun = useMay("operator");
  const changes = stateChangesOf(command);
  if (changes === null) return null;
  const rows = changes.map(({ path, before, after }) => ({
    [words.field]: path.join(".") || words.whole,
    [words.shown]: (before ?? null) as Json,
    [words.now]: (after ?? null) as Json,
  }));
  return (
    <>
      <h3>{words.title}</h3>
      {rows.length === 0 ? (
        <p className="muted">{words.hidden}</p>
      ) : (
        <ValueView value={rows} label={words.title} />
      )}
      {mayRun && (
        <div className="row">
          <ButtonLink kind="primary" to={actionPath(command.serviceId, command.action)}>
            {words.again}
          </ButtonLink>
        </div>
      )}
    </>
  );
}
