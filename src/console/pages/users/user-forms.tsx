import { useState } from "react";
import { type Role, roles } from "../../../domain/principals.ts";
import { ApiError, issueOf } from "../../client/api-error.ts";
import type { Reply } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { SecretDialog } from "../../components/dialogs/secret-dialog.tsx";
import { useNotice } from "../../components/notices.tsx";
import { useStay } from "../../components/stay.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { RoleField } from "../../fields/role-field.tsx";
import { texts } from "../../texts/index.ts";
import { generatePassword } from "./set-password.tsx";

const words = texts.users;

/** A generated password is shown once more after the user is created. */
export function CreateUser({ onClose }: { onClose: () => void }) {
  const tell = useNotice();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [isGenerated, setGenerated] = useState(false);
  const [role, setRole] = useState<Role>("viewer");
  const { data, error, isPending, isSuccess, mutate } = useAct("users.create", (user) => {
    tell(words.created(user.username));
    if (!isGenerated) onClose();
  });
  const close = useStay(isGenerated && (isPending || isSuccess), onClose);
  if (data && isGenerated) {
    return (
      <SecretDialog
        title={words.created(data.username)}
        label={words.password}
        secret={password}
        warning={words.tellThem(data.username)}
        onClose={close}
      />
    );
  }
  return (
    <FormDialog
      title={words.create}
      verb={texts.words.create}
      busy={isPending}
      onSubmit={() => mutate({ body: { username: username.trim(), password, role } })}
      onClose={onClose}
    >
      <UsernameField value={username} onChange={setUsername} error={error} />
      <RoleField choices={roles} value={role} onChange={setRole} />
      <NewPassword
        label={words.password}
        value={password}
        onChange={setPassword}
        error={issueOf(error, "password")}
        make={generatePassword}
        onMade={setGenerated}
      />
      <FormFailure error={error} fields={["username", "password"]} codes={["USERNAME_TAKEN"]} />
    </FormDialog>
  );
}

interface EditUserProps {
  /** The current user, which may change while the form is open. */
  user: Reply<"users.get">;
  isMe: boolean;
  onClose: () => void;
}

/** Does not overwrite another owner's change before the user has seen it. */
export function EditUser({ user, isMe, onClose }: EditUserProps) {
  const tell = useNotice();
  const [base, setBase] = useState(user);
  const [username, setUsername] = useState(user.username);
  const [role, setRole] = useState(user.role);
  const { error, isPending, mutate, reset } = useAct("users.update", (changed) => {
    tell(words.saved(changed.username));
    onClose();
  });
  const isConflict = error instanceof ApiError && error.code === "VERSION_CONFLICT";
  const takeTheirs = () => {
    setBase(user);
    setUsername(user.username);
    setRole(user.role);
    reset();
  };
  const save = () => {
    const body = { username: username.trim(), role, version: base.version };
    mutate({ params: { userId: user.id }, body });
  };
  return (
    <FormDialog
      title={words.editTitle(base.username)}
      verb={texts.words.save}
      busy={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <UsernameField value={username} onChange={setUsername} error={error} />
      <RoleField choices={roles} value={role} onChange={setRole} />
      {role !== base.role && <p role="status">{isMe ? words.ownRole : words.roleEndsSessions}</p>}
      {isConflict && (
        <div className="row failure tight" role="alert">
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

function UsernameField(props: { value: string; onChange: (name: string) => void; error: unknown }) {
  const { error, ...field } = props;
  const isTaken = error instanceof ApiError && error.code === "USERNAME_TAKEN";
  return (
    <TextField
      label={words.username}
      hint={words.usernameHint}
      error={isTaken ? error.message : issueOf(error, "username")}
      required
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      {...field}
    />
  );
}
