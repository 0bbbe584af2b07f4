import { useState } from "react";
import { call, type Reply } from "../../client/call.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { AskedForRows } from "../../nouns/bulk-acts.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { commandCells } from "../../values/command-cells.tsx";
import { mayBeRetried } from "./retryable.ts";

type Summary = Reply<"commands.list">[number];

const words = texts.commands.retry;

export function Component() {
  const mayAct = useMay("operator");
  return (
    <NounList
      noun="commands"
      cells={commandCells}
      bulk={mayAct ? (commands) => <RetrySelected commands={commands} /> : undefined}
    />
  );
}

/** The server refuses a command whose payload had secrets: its own page asks for them. */
function RetrySelected({ commands }: { commands: readonly Summary[] }) {
  const [asked, setAsked] = useState<readonly Summary[] | null>(null);
  const failed = commands.filter(mayBeRetried);
  const only = failed.length === commands.length ? null : failed.length;
  return (
    <>
      {failed.length > 0 && (
        <Button onClick={() => setAsked(failed)}>{texts.selection.act(words.verb, only)}</Button>
      )}
      {asked && (
        <AskedForRows
          verb={words.verb}
          isDangerous
          rows={asked}
          titleOf={({ action, serviceCode }) => `${action} · ${serviceCode}`}
          run={({ id }) =>
            call("commands.retry", { params: { commandId: id }, body: { confirmation: true } })
          }
          onClose={() => setAsked(null)}
          onDone={() => setAsked(null)}
        >
          <p>{words.manyWhat}</p>
        </AskedForRows>
      )}
    </>
  );
}
