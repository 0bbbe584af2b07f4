import { mayBeRetried } from "../../../domain/commands/commands.ts";
import { call } from "../../client/call.ts";
import type { CommandSummary } from "../../client/command.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/buttons/button.tsx";
import { useAsk } from "../../components/dialogs/page-dialog.ts";
import { ConfirmForRows, verbFor } from "../../nouns/bulk-acts.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { nouns, titleOf } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { commandCells } from "../../values/command-cells.tsx";
import { RetryListed } from "./command-actions.tsx";

const words = texts.commands.retry;

const cells = {
  ...commandCells,
  action: ({ id, action, type }: CommandSummary) => (
    <>
      <NounLink to="commands" id={id}>
        {action}
      </NounLink>
      {type === "ACTION_PREPARE" && (
        <span className="muted small"> {texts.commands.types[type]}</span>
      )}
    </>
  ),
};

export function Component() {
  const mayAct = useMay("operator");
  return (
    <NounList
      noun="commands"
      cells={cells}
      bulk={mayAct ? ({ rows, only }) => <Retry commands={rows} onDone={only} /> : undefined}
      acts={(command) => (
        <>
          <NounActs noun="commands" row={command} inList only={["cancel"]} />
          {mayAct && mayBeRetried(command) && <RetryOne command={command} />}
        </>
      )}
    />
  );
}

function titleOfCommand(command: CommandSummary): string {
  return titleOf(nouns.commands, command);
}

function RetryOne({ command }: { command: CommandSummary }) {
  const ask = useAsk();
  return (
    <Button
      aria-label={`${words.verb} ${titleOfCommand(command)}`}
      onClick={() => ask(<RetryListed id={command.id} onClose={() => ask(null)} />)}
    >
      {words.verb}
    </Button>
  );
}

interface RetryProps {
  commands: readonly CommandSummary[];
  /** Called with the commands that could not be retried. */
  onDone: (failed: readonly CommandSummary[]) => void;
}

/** The server refuses to retry a command whose payload had secrets. Its own page asks for them. */
function Retry({ commands, onDone }: RetryProps) {
  const ask = useAsk();
  const failed = commands.filter(mayBeRetried);
  if (failed.length === 0) return null;
  const confirm = (
    <ConfirmForRows
      verb={words.verb}
      isDangerous
      rows={failed}
      titleOf={titleOfCommand}
      run={({ id }, confirmation) =>
        call("commands.retry", { params: { commandId: id }, body: { confirmation } })
      }
      onClose={() => ask(null)}
      onDone={onDone}
    >
      <p>{words.manyWhat}</p>
    </ConfirmForRows>
  );
  return <Button onClick={() => ask(confirm)}>{verbFor(words.verb, failed, commands)}</Button>;
}
