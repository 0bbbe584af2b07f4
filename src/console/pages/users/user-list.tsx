import { capitalized } from "../../../lib/capitalized.ts";
import { useMe } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { type ListedRow, NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { CreateUser } from "./user-forms.tsx";

const words = texts.users;

export function Component() {
  const me = useMe().user.id;
  const username = ({ id, username: name }: ListedRow<"users">) => (
    <>
      <NounLink to="users" id={id}>
        {name}
      </NounLink>
      {me === id && <span className="muted">{texts.words.aside({ text: words.you })}</span>}
    </>
  );
  return (
    <NounList
      noun="users"
      cells={{ username, role: ({ role }) => capitalized(words.roles[role]) }}
      actions={
        <DialogButton kind="primary" text={words.create}>
          {(close) => <CreateUser onClose={close} />}
        </DialogButton>
      }
    />
  );
}
