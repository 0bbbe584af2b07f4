// The list of API keys, and the form that creates one.

import { type KeyRole, keyRoles, mayHoldKey } from "../../../domain/access/principals.ts";
import { capitalized } from "../../../lib/capitalized.ts";
import { useAct } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { CommandLines } from "../../components/command-lines.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { SecretDialog } from "../../components/dialogs/secret-dialog.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { useStayOnPage } from "../../components/use-stay-on-page.ts";
import { fieldsOf, useDraft } from "../../fields/draft.ts";
import { FormFailure } from "../../fields/form-failure.tsx";
import { ChoiceField, TextField } from "../../fields/inputs.tsx";
import { RoleField } from "../../fields/role-field.tsx";
import { personName } from "../../format/person.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { type ListedRow, NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

type ApiKey = ListedRow<"api-keys">;

const words = texts.apiKeys;

export function Component() {
  return (
    <NounList
      noun="api-keys"
      cells={{ user: owner, role: ({ role }) => capitalized(texts.users.roles[role]) }}
      acts={(key) => <NounActs noun="api-keys" row={key} inList more={{ revoke: lastUse(key) }} />}
      actions={
        <DialogButton kind="primary" text={words.create}>
          {(close) => <CreateApiKey onClose={close} />}
        </DialogButton>
      }
    />
  );
}

function owner({ user }: ApiKey) {
  if (user === null) return <span className="muted">{words.onTheHost}</span>;
  const { username, displayName } = user;
  if (username === null) return <span className="muted">{words.userGone}</span>;
  const name = personName({ username, displayName });
  return (
    <NounLink to="users" id={user.id}>
      {user.status === "DISABLED" ? words.userDisabled({ name }) : name}
    </NounLink>
  );
}

function lastUse({ lastUsedAt }: ApiKey) {
  if (lastUsedAt === null) return <p>{words.neverUsed}</p>;
  return (
    <p>
      <Sentence text={words.lastUsed} parts={{ time: <Time at={lastUsedAt} /> }} />
    </p>
  );
}

/** In days. */
const expiries = { day: 1, week: 7, days30: 30, days90: 90, year: 365, never: null } as const;
type Expiry = keyof typeof expiries;
const expiryOptions = Object.keys(expiries).map(
  (key) => [key as Expiry, texts.expiries[key as Expiry]] as const,
);

function CreateApiKey({ onClose }: { onClose: () => void }) {
  const [draft, change] = useDraft({
    name: "",
    role: "viewer" as KeyRole,
    user: "",
    expiry: "days90" as Expiry,
  });
  const { data, error, isPending, isSuccess, mutate } = useAct("api-keys.create");
  const close = useStayOnPage(isPending || isSuccess, onClose);
  const isOwner = useMay("owner");
  if (data) return <ApiKeyOnce name={data.name} apiKey={data.key} onClose={close} />;
  const field = fieldsOf(draft, change, error);
  const submit = () => {
    const { name, role, expiry } = draft;
    const user = draft.user.trim();
    const days = expiries[expiry];
    const end = days === null ? {} : { expiresInSeconds: days * 86_400 };
    mutate({ body: { name: name.trim(), role, ...(user === "" ? {} : { user }), ...end } });
  };
  return (
    <FormDialog
      title={words.create}
      verb={texts.words.create}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.words.name}
        hint={words.nameHint}
        required
        maxLength={200}
        {...field("name")}
      />
      {isOwner && (
        <TextField
          label={words.user}
          hint={words.userHint}
          maxLength={100}
          spellCheck={false}
          {...field("user")}
        />
      )}
      <RoleField
        choices={isOwner ? keyRoles : keyRoles.filter((role) => mayHoldKey("operator", role))}
        {...field("role")}
      />
      <ChoiceField
        label={texts.words.expires}
        options={expiryOptions}
        {...field("expiry", "expiresInSeconds")}
      />
      <FormFailure error={error} fields={["name", "user", "expiresInSeconds"]} />
    </FormDialog>
  );
}

function ApiKeyOnce(props: { name: string; apiKey: string; onClose: () => void }) {
  const { name, apiKey, onClose } = props;
  const example = `PLATFORM_URL=${location.origin} PLATFORM_API_KEY=${apiKey} platformctl services list`;
  return (
    <SecretDialog
      title={words.created({ name })}
      label={words.key}
      secret={apiKey}
      warning={words.keepIt}
      onClose={onClose}
    >
      <CommandLines title={words.example} text={example} copy={words.copyExample} />
    </SecretDialog>
  );
}
