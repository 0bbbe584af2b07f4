// The list of a noun without its own pages, with a form for new objects.

import { useMatch } from "react-router";
import type { Noun } from "../../api/contract/noun.ts";
import { DialogButton } from "../components/dialogs/dialog-button.tsx";
import { Guarded, NotFound } from "../shell/no-page.tsx";
import { texts } from "../texts/index.ts";
import { CreateOne } from "./create-one.tsx";
import { NounList } from "./noun-list.tsx";
import { findNoun, type NounName } from "./nouns.ts";
import { useRights } from "./rights.ts";

export function Component() {
  const name = useMatch("/nouns/:noun")?.params.noun ?? "";
  const noun = findNoun(name);
  if (!noun) return <NotFound />;
  return (
    <Guarded role={noun.access.list ?? "owner"} bus={noun.bus}>
      <AnyList noun={noun} />
    </Guarded>
  );
}

function AnyList({ noun }: { noun: Noun }) {
  const may = useRights();
  const mayCreate = noun.create !== undefined && may(noun, "create");
  return (
    <NounList
      noun={noun.noun as NounName}
      actions={
        mayCreate && (
          <DialogButton kind="primary" text={texts.nouns.create({ one: noun.one })}>
            {(close) => <CreateOne noun={noun} onClose={close} />}
          </DialogButton>
        )
      }
    />
  );
}
