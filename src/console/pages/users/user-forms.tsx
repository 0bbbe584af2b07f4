import { useState } from "react";
import { type Role, roles } from "../../../domain/access/principals.ts";
import { displayNameMaxLength } from "../../../domain/access/users.ts";
import { ApiError, conflictIn } from "../../client/api-error.ts";
import { call, type Input, type Reply } from "../../client/call.ts";
import { refreshAll, useAct } from "../../client/queries.ts";
import { reloadSession } from "../../client/session.ts";
import { useSingleMutation } from "../../client/use-single-mutation.ts";
import { Button } from "../../components/buttons/button.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { SecretDialog } from "../../components/dialogs/secret-dialog.tsx";
import { messageOf } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { useStayOnPage } from "../../components/use-stay-on-page.ts";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { TextField } from "../../fields/inputs.tsx";
import { NewPassword } from "../../fields/new-password.tsx";
import { RoleField } from "../../fields/role-field.tsx";
import { personName } from "../../format/person.ts";
import { statusText } from "../../format/status.ts";
import { texts } from "../../texts/index.ts";

const words = texts.users;

/** Shows a generated password once more after the user was created. */
export function CreateUser({ onClose }: { onClose: () => void }) {
  const notify = useNotice();
  const [draft, change] = useDraft({
    username: "",
    displayName: "",
    password: "",
    role: "viewer" as Role,
  });
  const [isGenerated, setGenerated] = useState(false);
  const { data, error, isPending, isSuccess, mutate } = useSingleMutation({
    mutationFn: createUser,
    onSuccess: (user) => {
      notify(words.created({ name: user.username }));
      refreshAll();
      if (!isGenerated) onClose();
    },
  });
  const field = fieldsOf(draft, change, error);
  const close = useStayOnPage(isGenerated && (isPending || isSuccess), onClose);
  if (data && isGenerated) {
    return (
      <SecretDialog
        title={words.created({ name: data.username })}
        label={words.password}
        secret={draft.password}
        warning={words.tellThem({ name: data.username })}
        onClose={close}
      />
    );
  }
  return (
    <FormDialog
      title={words.create}
      verb={texts.words.create}
      busy={isPending}
      onSubmit={() => mutate({ ...draft, ...namesIn(draft) })}
      onClose={onClose}
    >
      <UsernameField {...field("username")} refusal={error} />
      <DisplayNameField {...field("displayName")} />
      <RoleField choices={roles} {...field("role")} />
      <NewPassword label={words.password} {...field("password")} onMade={setGenerated} />
      <FormFailure
        error={error}
        fields={["username", "displayName", "password"]}
        codes={["USERNAME_TAKEN"]}
      />
    </FormDialog>
  );
}

/** Adds an issue if the name is taken. The server checks that only if all fields are valid. */
async function createUser(body: Input<"users.create">["body"]): Promise<Reply<"users.create">> {
  const name = body.username.toLowerCase();
  try {
    return await call("users.create", { body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.issues.length === 0 || name === "") throw error;
    const found = await call("users.list", { query: { q: name } }).catch(() => []);
    if (!found.some(({ username }) => username.toLowerCase() === name)) throw error;
    const taken = { path: "username", message: words.taken };
    const details = { ...error.details, issues: [...error.issues, taken] };
    throw new ApiError(error.status, { ...error, message: error.message, details });
  }
}

interface EditUserProps {
  /** The user as currently stored. Somebody else may change it while the form is open. */
  user: Reply<"users.get">;
  isMe: boolean;
  onClose: () => void;
}

/** Does not overwrite a change by another owner that the user has not seen. */
export function EditUser({ user, isMe, onClose }: EditUserProps) {
  const notify = useNotice();
  const [base, setBase] = useState(user);
  const [draft, change] = useDraft(draftOf(user));
  const { error, isPending, mutate, reset } = useAct("users.update", (changed) => {
    notify(words.saved({ name: changed.username }));
    // The navigation shows the names of the signed-in user.
    if (isMe) reloadSession();
    onClose();
  });
  const field = fieldsOf(draft, change, error);
  const takeTheirs = () => {
    setBase(user);
    change(draftOf(user));
    reset();
  };
  const save = () => {
    const body = { ...draft, ...namesIn(draft), version: base.version };
    mutate({ params: { userId: user.id }, body });
  };
  return (
    <FormDialog
      title={words.editTitle({ name: base.username })}
      verb={texts.words.save}
      busy={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <UsernameField {...field("username")} refusal={error} />
      <DisplayNameField {...field("displayName")} />
      <RoleField choices={roles} {...field("role")} />
      {draft.role !== base.role && (
        <p role="status">{isMe ? words.ownRole : words.roleEndsSessions}</p>
      )}
      {conflictIn(error) && (
        <div className="row failure tight" role="alert">
          <p>
            {words.conflict}{" "}
            <strong>
              {[personName(user), words.roles[user.role], statusText(user.status)].join(
                texts.words.comma,
              )}
            </strong>
          </p>
          <Button onClick={takeTheirs}>{words.takeTheirs}</Button>
        </div>
      )}
      <FormFailure
        error={error}
        fields={["username", "displayName"]}
        codes={["USERNAME_TAKEN", "VERSION_CONFLICT"]}
      />
    </FormDialog>
  );
}

function draftOf({ username, displayName, role }: Reply<"users.get">) {
  return { username, displayName: displayName ?? "", role };
}

/** The API expects null for a user without a display name. */
function namesIn(draft: { username: string; displayName: string }) {
  return { username: draft.username.trim(), displayName: draft.displayName.trim() || null };
}

interface NameProps {
  value: string;
  error: string | null;
  onChange: (name: string) => void;
}

function DisplayNameField(field: NameProps) {
  return (
    <TextField
      label={words.displayName}
      hint={words.displayNameHint}
      maxLength={displayNameMaxLength}
      {...field}
    />
  );
}

function UsernameField({ error, refusal, ...field }: NameProps & { refusal: unknown }) {
  const isTaken = refusal instanceof ApiError && refusal.code === "USERNAME_TAKEN";
  return (
    <TextField
      label={words.username}
      hint={words.usernameHint}
      error={isTaken ? messageOf(refusal) : error}
      required
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      {...field}
    />
  );
}
