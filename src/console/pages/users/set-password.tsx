// Sets somebody else's password. Their sessions go on; when it was set because somebody should be kept out,
// they can be ended right after.

import { useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { useStay } from "../../components/stay.ts";
import { FormDialog } from "../../fields/form-dialog.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import { counted } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { makePassword } from "./make-password.ts";
import type { User } from "./user.ts";

const words = texts.users;

export function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [isMade, setMade] = useState(false);
  const set = useAct("users.set-password");
  const close = useStay(isMade && (set.isPending || set.isSuccess), onClose);
  if (set.isSuccess) {
    return <PasswordSet user={user} shown={isMade ? password : null} onClose={close} />;
  }
  return (
    <FormDialog
      title={words.setPasswordTitle(user.username)}
      verb={words.setPassword}
      busy={set.isPending}
      onSubmit={() => set.mutate({ params: { userId: user.id }, body: { password } })}
      onClose={onClose}
    >
      <p>{words.setPasswordSays}</p>
      <NewPassword
        label={words.newPassword}
        value={password}
        onChange={setPassword}
        error={issueOf(set.error, "password")}
        make={makePassword}
        onMade={setMade}
      />
      <FormFailure error={set.error} fields={["password"]} />
    </FormDialog>
  );
}

function PasswordSet(props: { user: User; shown: string | null; onClose: () => void }) {
  const { user, shown, onClose } = props;
  const tell = useNotice();
  const end = useAct("users.end-sessions", ({ ended }) => {
    tell(words.ended(counted(ended, words.session, words.sessions)));
  });
  return (
    <Dialog
      title={words.setPasswordTitle(user.username)}
      onClose={onClose}
      isHeld={shown !== null}
      actions={
        <>
          {!end.isSuccess && (
            <Button
              busy={end.isPending}
              onClick={() => end.mutate({ params: { userId: user.id } })}
            >
              {words.endThem}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {texts.words.close}
          </Button>
        </>
      }
    >
      <p>
        {end.data
          ? words.ended(counted(end.data.ended, words.session, words.sessions))
          : words.passwordIsSet(user.username)}
      </p>
      {shown !== null && (
        <SecretOnce label={words.password} secret={shown} warning={words.tellThem(user.username)} />
      )}
      <Failure error={end.error} />
    </Dialog>
  );
}
