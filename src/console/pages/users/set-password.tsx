// Sets another user's password. The user's sessions stay open, but can then be ended.

import { useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { useStayOnPage } from "../../components/use-stay-on-page.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import { texts } from "../../texts/index.ts";

type User = Reply<"users.get">;

const words = texts.users;

export function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [isGenerated, setGenerated] = useState(false);
  const { error, isPending, isSuccess, mutate } = useAct("users.set-password");
  const close = useStayOnPage(isGenerated && (isPending || isSuccess), onClose);
  if (isSuccess) {
    return <PasswordSet user={user} shown={isGenerated ? password : null} onClose={close} />;
  }
  return (
    <FormDialog
      title={words.setPasswordTitle({ name: user.username })}
      verb={words.setPassword}
      busy={isPending}
      onSubmit={() => mutate({ params: { userId: user.id }, body: { password } })}
      onClose={onClose}
    >
      <p>{words.setPasswordSays}</p>
      <NewPassword
        label={texts.account.password.next}
        value={password}
        onChange={setPassword}
        error={issueOf(error, "password")}
        onMade={setGenerated}
      />
      <FormFailure error={error} fields={["password"]} />
    </FormDialog>
  );
}

function PasswordSet(props: { user: User; shown: string | null; onClose: () => void }) {
  const { user, shown, onClose } = props;
  const { id, username } = user;
  const notify = useNotice();
  const [text, setText] = useState(words.passwordIsSet({ name: username }));
  const end = useAct("users.end-sessions", ({ ended }) => {
    const done = words.ended({ sessions: ended });
    setText(done);
    notify(done);
  });
  return (
    <Dialog
      title={words.setPasswordTitle({ name: username })}
      onClose={onClose}
      isHeld={shown !== null}
      actions={
        <>
          {!end.isSuccess && (
            <Button busy={end.isPending} onClick={() => end.mutate({ params: { userId: id } })}>
              {words.endThem}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {texts.words.close}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {shown !== null && (
        <SecretOnce
          label={words.password}
          secret={shown}
          warning={words.tellThem({ name: username })}
        />
      )}
      <Failure error={end.error} />
    </Dialog>
  );
}
