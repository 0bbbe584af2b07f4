// Another name or role. Who was changed meanwhile is told, and nothing of that is overwritten unseen.

import { useState } from "react";
import { roles } from "../../../domain/principals.ts";
import { ApiError } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { useNotice } from "../../components/notices.tsx";
import { FormDialog } from "../../fields/form-dialog.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { RoleField } from "../../fields/role-field.tsx";
import { texts } from "../../texts/index.ts";
import type { User } from "./user.ts";
import { UsernameField } from "./username-field.tsx";

const words = texts.users;

interface EditUserProps {
  /** As it is now: it may change while the form is open. */
  user: User;
  isMe: boolean;
  onClose: () => void;
}

export function EditUser({ user, isMe, onClose }: EditUserProps) {
  const tell = useNotice();
  const [base, setBase] = useState(user);
  const [username, setUsername] = useState(user.username);
  const [role, setRole] = useState(user.role);
  const update = useAct("users.update", (changed) => {
    tell(words.saved(changed.username));
    onClose();
  });
  const { error } = update;
  const isConflict = error instanceof ApiError && error.code === "VERSION_CONFLICT";
  const takeTheirs = () => {
    setBase(user);
    setUsername(user.username);
    setRole(user.role);
    update.reset();
  };
  const save = () => {
    const body = { username: username.trim(), role, version: base.version };
    update.mutate({ params: { userId: user.id }, body });
  };
  return (
    <FormDialog
      title={words.editTitle(base.username)}
      verb={texts.words.save}
      busy={update.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <UsernameField value={username} onChange={setUsername} error={error} />
      <RoleField choices={roles} value={role} onChange={setRole} />
      {role !== base.role && <p role="status">{isMe ? words.ownRole : words.roleEndsSessions}</p>}
      {isConflict && (
        <div className="row failure" role="alert">
          <p>
            {words.conflict}{" "}
            <strong>
              {user.username}, {words.roles[user.role]}, {user.status}
            </strong>
          </p>
          <Button onClick={takeTheirs}>{words.takeTheirs}</Button>
        </div>
      )}
      <FormFailure
        error={error}
        fields={["username"]}
        codes={["USERNAME_TAKEN", "VERSION_CONFLICT"]}
      />
    </FormDialog>
  );
}
