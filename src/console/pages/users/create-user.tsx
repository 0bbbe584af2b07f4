// Makes a user. A password that was made up here is shown once more when the user is there.

import { useState } from "react";
import { type Role, roles } from "../../../domain/principals.ts";
import { issueOf } from "../../client/api-error.ts";
import { useAct } from "../../client/queries.ts";
import { useNotice } from "../../components/notices.tsx";
import { useStay } from "../../components/stay.ts";
import { FormDialog } from "../../fields/form-dialog.tsx";
import { FormFailure } from "../../fields/form-failure.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { RoleField } from "../../fields/role-field.tsx";
import { texts } from "../../texts/index.ts";
import { makePassword } from "./make-password.ts";
import { PasswordDialog } from "./password-dialog.tsx";
import { UsernameField } from "./username-field.tsx";

const words = texts.users;

export function CreateUser({ onClose }: { onClose: () => void }) {
  const tell = useNotice();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [isMade, setMade] = useState(false);
  const [role, setRole] = useState<Role>("viewer");
  const create = useAct("users.create", (user) => {
    tell(words.created(user.username));
    if (!isMade) onClose();
  });
  const { data: created, error } = create;
  const close = useStay(isMade && (create.isPending || create.isSuccess), onClose);
  if (created && isMade) {
    return (
      <PasswordDialog
        title={words.created(created.username)}
        username={created.username}
        password={password}
        onClose={close}
      />
    );
  }
  return (
    <FormDialog
      title={words.create}
      verb={texts.words.create}
      busy={create.isPending}
      onSubmit={() => create.mutate({ body: { username: username.trim(), password, role } })}
      onClose={onClose}
    >
      <UsernameField value={username} onChange={setUsername} error={error} />
      <RoleField choices={roles} value={role} onChange={setRole} />
      <NewPassword
        label={words.password}
        value={password}
        onChange={setPassword}
        error={issueOf(error, "password")}
        make={makePassword}
        onMade={setMade}
      />
      <FormFailure error={error} fields={["username", "password"]} codes={["USERNAME_TAKEN"]} />
    </FormDialog>
  );
}
