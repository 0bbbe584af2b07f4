// What is asked before a user is shut out: disabled, signed out, deleted.

import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../client/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { useNotice } from "../../components/notices.tsx";
import { counted } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { KeysThatGo } from "./keys-that-go.tsx";
import { isLastOwner, LastOwner } from "./last-owner.tsx";
import type { User } from "./user.ts";

const words = texts.users;

interface UserDialogProps {
  user: User;
  isMe: boolean;
  onClose: () => void;
}

export function ConfirmStatus({ user, isMe, onClose }: UserDialogProps) {
  const tell = useNotice();
  const { id, username, version } = user;
  const isActive = user.status === "ACTIVE";
  const update = useAct("users.update", () => {
    tell(isActive ? words.disabled(username) : words.enabled(username));
    onClose();
  });
  const status = isActive ? "DISABLED" : "ACTIVE";
  return (
    <Confirm
      title={isActive ? words.disableTitle(username) : words.enableTitle(username)}
      verb={isActive ? words.disable : words.enable}
      danger={isActive}
      onConfirm={() => update.mutate({ params: { userId: id }, body: { status, version } })}
      {...shared(update, onClose)}
    >
      <p>{isActive ? words.disableSays : words.enableSays}</p>
      {isActive && <KeysThatGo userId={id} />}
      {isActive && isMe && <Warning>{words.disableYourself}</Warning>}
      <LastOwner error={update.error} />
    </Confirm>
  );
}

export function ConfirmEndSessions({ user, isMe, onClose }: UserDialogProps) {
  const tell = useNotice();
  const end = useAct("users.end-sessions", ({ ended }) => {
    tell(words.ended(counted(ended, words.session, words.sessions)));
    onClose();
  });
  return (
    <Confirm
      title={words.endSessionsTitle(user.username)}
      verb={words.endSessions}
      onConfirm={() => end.mutate({ params: { userId: user.id } })}
      {...shared(end, onClose)}
    >
      <p>{words.endSessionsSays}</p>
      {isMe && <Warning>{words.endOwnSessions}</Warning>}
    </Confirm>
  );
}

export function ConfirmDelete({ user, isMe, onClose }: UserDialogProps) {
  const tell = useNotice();
  const navigate = useNavigate();
  const { id, username } = user;
  const leave = () => {
    tell(words.deleted(username));
    void navigate("/users", { replace: true });
  };
  const remove = useAct("users.delete", leave, { leaving: true });
  return (
    <Confirm
      title={words.deleteTitle(username)}
      verb={texts.words.delete}
      danger
      word={{ label: words.deleteWord, expected: username }}
      onConfirm={() => remove.mutate({ params: { userId: id } })}
      {...shared(remove, onClose)}
    >
      <p>{words.deleteSays}</p>
      <KeysThatGo userId={id} />
      {isMe && <Warning>{words.deleteYourself}</Warning>}
      <LastOwner error={remove.error} />
    </Confirm>
  );
}

function shared(act: { isPending: boolean; error: unknown }, onClose: () => void) {
  return { busy: act.isPending, error: isLastOwner(act.error) ? null : act.error, onClose };
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p>
      <strong>{children}</strong>
    </p>
  );
}
