import { useState } from "react";
import { call, type Reply } from "../../client/call.ts";
import { useMay } from "../../client/session.ts";
import { Button } from "../../components/button.tsx";
import { AskedForRows } from "../../nouns/bulk-acts.tsx";
import { NounActs } from "../../nouns/noun-acts.tsx";
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
      bulk={mayAct ? (commands) => <Retry commands={commands} /> : undefined}
      acts={(command) => (
        <>
          <NounActs noun="commands" row={command} inList only={["cancel"]} />
          {mayAct && <Retry commands={[command]} inRow />}
        </>
      )}
    />
  );
}

function titleOf({ action, serviceCode }: Summary): string {
  return `${action} · ${serviceCode}`;
}

/** The server refuses a command whose payload had secrets: its own page asks for them. */
function Retry({ commands, inRow }: { commands: readonly Summary[]; inRow?: true }) {
  const [asked, setAsked] = useState<readonly Summary[] | null>(null);
  const failed = commands.filter(mayBeRetried);
  const only = failed.length === commands.length ? null : failed.length;
  const [first] = failed;
  const label = inRow && first ? { "aria-label": `${words.verb} ${titleOf(first)}` } : {};
  return (
    <>
      {failed.length > 0 && (
        <Button {...label} onClick={() => setAsked(failed)}>
          {texts.selection.act(words.verb, only)}
        </Button>
      )}
      {asked && (
        <AskedForRows
          verb={words.verb}
          isDangerous={!inRow}
          rows={asked}
          titleOf={titleOf}
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
