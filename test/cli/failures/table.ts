// Commands that fail, by error code, and what they print.

import type { ErrorCode } from "../../../src/domain/errors.ts";
import type { Way, World } from "../world.ts";
import { statusOf } from "./statuses.ts";

interface Circumstances {
  says: RegExp;
  /** If absent, the text is tested with `--db`, and the JSON over HTTP. */
  way?: Way;
  env?: (world: World) => Promise<Record<string, string>>;
  stdin?: string;
  /** Prepares a new world for the command. */
  before?: (world: World) => Promise<unknown>;
}

export interface Failure extends Circumstances {
  words: string;
  status: number;
  code: string;
}

const keyOf = (role: "viewer" | "operator") => async (world: World) => {
  const body = { name: role, role };
  return { API_KEY: (await world.as("owner").call("api-keys.create", { body })).key };
};

const disableAgent = ({ run }: World) => run("--db", ["agents", "disable", "edge-2"]);
const revokeToken = ({ run }: World) => run("--db", ["agents", "revoke-token", "edge-2", "--yes"]);

/** In the words, `{ada}` means the result of `things.ada`. */
const failures: Partial<Record<ErrorCode | "USAGE", Record<string, RegExp | Circumstances>>> = {
  ACTION_PREPARE_TIMEOUT: { "actions prepare sleeper snore": /did not|in time|expired/i },
  USAGE: {
    "agents list --statu ONLINE": /unknown option '--statu' \(Did you mean --status\?\)/,
    "agents get": /missing required argument 'agent'/,
    "agents list --limit many": /'--limit <count>' argument 'many' is invalid. Use a whole number/,
    "agents list --limit 201": /--limit.*1 to 200/,
    "tokens create --expires soon":
      /--expires must be a duration such as 24h, a time such as .*, or never, not soon/,
    "tokens create --expires 2026-02-31": /--expires must be .*, not 2026-02-31\.$/m,
    "commands list --since 24h": /unknown option '--since': use --from, for example --from 24h/,
    "commands list --from yesterday":
      /--from must be a time such as 2026-01-31T08:00:00Z, or how long ago, .* not yesterday/,
    "users create --role owner": /the username is missing: users create NAME --role ROLE/,
    "users create ada --username ben --role owner": /give NAME or --username, not both/,
    "users create ada": /--role is missing: owner, operator or viewer/,
    "users create --username ada --role owner":
      /give --password-stdin: there is no terminal to ask/,
    "users create --username ada --role owner --password-stdin":
      /standard input must be the password in one line/,
    "users update {ada}":
      /give a change: --username, --display-name, --role, --disable or --enable/,
    "users update ada --enable --disable": /--enable or --disable, not both/,
    "settings set auditRetentonDays=3":
      /there is no setting auditRetentonDays; did you mean auditRetentionDays\?/,
    "settings set auditRetentionDays": /give NAME=VALUE, not auditRetentionDays/,
    "settings set auditRetentionDays=many":
      /auditRetentionDays must be a whole number or "default", not many/,
    "metrics --prometheus --columns totals.users": /--prometheus has its own format/,
  },
  VALIDATION_FAILED: {
    "services list --status FINE": /The call is not valid: --status: must be one of HEALTHY, /,
    "rollouts start snore --selector= --parallel 0": /--parallel: must be at least 1/,
    "rollouts start snore --selector= --waves 10,5": /--waves: must grow.*: 5 does not/,
    "users create --username ada --role owner --password-stdin": {
      says: /password: must have 12 to 128 characters/,
      stdin: "changeme\n",
    },
    "settings set auditRetentionDays=99999": /auditRetentionDays/,
  },
  PAYLOAD_INVALID: { "actions run log-collector set-level --set lines=many": /lines/ },
  AGENT_NOT_FOUND: { "agents get nobody": /there is no agent nobody/ },
  COMMAND_NOT_FOUND: {
    "commands get cmd_01K00000000000000000000000":
      /There is no command cmd_01K00000000000000000000000/,
    "commands retry cmd_01K": /there is no command cmd_01K\. `commands list` shows their ids/,
  },
  SCHEDULE_NOT_FOUND: { "schedules get nothing": /there is no schedule nothing/ },
  APPROVAL_NOT_FOUND: {
    "approvals get apr_01K00000000000000000000000":
      /There is no request for approval apr_01K00000000000000000000000/,
  },
  APPROVAL_POLICY_NOT_FOUND: {
    "policies update nothing --order 1": /there is no approval policy nothing/,
  },
  ACTION_NOT_FOUND: {
    "actions run log-collector fly":
      /declares no action fly; its actions are: set-level, explode, rotate-log/,
  },
  REGISTRATION_TOKEN_NOT_FOUND: {
    "tokens revoke nothing": /there is no registration token nothing/,
  },
  BUS_EVENT_NOT_FOUND: { "events get evt_01K": /there is no event evt_01K/ },
  USER_NOT_FOUND: { "users delete {ada}h": /there is no user adah. Did you mean ada\?/ },
  API_KEY_NOT_FOUND: {
    "api-keys revoke key_01K00000000000000000000000 --yes": /There is no API key key_01K/,
  },
  UNAUTHORIZED: {
    "agents list": {
      says: /Sign in with `platformctl login`, set PLATFORM_API_KEY, or use --db FILE/,
      way: "--server",
      env: async () => ({ API_KEY: "" }),
    },
    "services list": {
      says: /refused the API key in PLATFORM_API_KEY: .*mistyped or cut/,
      way: "--server",
      env: async ({ key }) => ({ API_KEY: key.slice(0, -1) }),
    },
  },
  FORBIDDEN: {
    "tokens create": {
      says: /requires the operator role, and this API key has the viewer role/,
      way: "--server",
      env: keyOf("viewer"),
    },
    "users list": {
      says: /requires the owner role, and this API key has the operator role/,
      way: "--server",
      env: keyOf("operator"),
    },
  },
  COMMAND_ALREADY_COMPLETED: { "commands cancel {cancelled}": /already ended as CANCELLED/ },
  REGISTRATION_TOKEN_ACTIVE: {
    "tokens delete {token}": /can still register an agent: revoke it before you delete it/,
  },
  CONFIRMATION_REQUIRED: {
    "actions run log-collector rotate-log":
      /Run rotate-log \(HIGH\) on log-collector of edge-1\? Add --yes/,
    "agents revoke-token edge-2": /Revoke the token of edge-2\?.* Add --yes/,
    "tokens revoke {token}": /Revoke the registration token edge-7 \(rtk_\w+\)\? Add --yes/,
    "api-keys revoke test": /Revoke the API key test \(key_\w+\)\?.* Add --yes/,
    "users delete {ada}": /Delete the user ada \(owner\)\? Add --yes/,
    "users update {ada} --role viewer": /Change ada from owner to viewer\? Add --yes/,
    "users update {ada} --disable --role viewer":
      /Disable ada \(owner\), change the role to viewer, and end the sessions\? Add --yes/,
    "commands retry {wiped} --break-glass drill":
      /Run wipe \(HIGH\) on guarded again without the approval that policies require\? Add --yes/,
    "commands retry {wiped}": /Run wipe \(HIGH\) on guarded again\? Add --yes/,
    "agents delete edge-2": {
      says: /Delete edge-2 with its services and its token\? Its commands are kept. Add --yes/,
      before: revokeToken,
    },
  },
  LAST_OWNER: { "users update {ada} --disable --yes": /last active owner/ },
  USERNAME_TAKEN: {
    "users create --username {ada} --role viewer --password-stdin": {
      says: /The user ada already exists/,
      stdin: "correct horse battery\n",
    },
  },
  AGENT_NOT_OFFLINE: {
    "agents delete edge-1 --yes": /The agent edge-1 is ONLINE. Stop it, or revoke its token/,
  },
  SERVICE_NOT_OFFLINE: {
    "services delete sleeper --yes":
      /The service sleeper is UNHEALTHY: the agent edge-2 reports it, and would bring it back/,
  },
  COMMAND_NOT_RETRYABLE: {
    "commands retry {snoring}":
      /Only a command that failed or was cancelled can be retried; this one is PENDING/,
  },
  AGENT_DISABLED: {
    "actions run sleeper snore": {
      says: /agent edge-2 is disabled.*agents enable/,
      before: disableAgent,
    },
    "services move log-collector --to edge-2": {
      says: /The agent edge-2 is disabled\. Enable it with `agents enable`\.$/m,
      before: disableAgent,
    },
  },
  AGENT_OFFLINE: {
    "actions run sleeper snore": {
      says: /token of the agent edge-2 was revoked.*--queue/,
      before: revokeToken,
    },
    "actions plan sleeper snore": { says: /was revoked\.$/m, before: revokeToken },
    "actions run sleeper snore --queue --if-unchanged": {
      says: /was revoked\.$/m,
      before: revokeToken,
    },
  },
};

export const failureList: Failure[] = Object.entries(failures).flatMap(([code, rows]) =>
  Object.entries(rows).map(([words, row]) => ({
    words,
    code,
    status: code === "USAGE" ? 2 : (statusOf[code] ?? 0),
    ...(row instanceof RegExp ? { says: row } : row),
  })),
);

const things: Record<string, (world: World) => Promise<string>> = {
  /** Creates ada, the only owner. */
  async ada({ as }) {
    const { data } = await as("owner").page("users.list");
    const body = { username: "ada", password: "correct horse battery", role: "owner" as const };
    if (data.length === 0) await as("owner").call("users.create", { body });
    return "ada";
  },
  async token({ as }) {
    return (await as("owner").call("registration-tokens.create", { body: { name: "edge-7" } })).id;
  },
  snoring: (world) => world.execute("sleeper", "snore"),
  async cancelled(world) {
    const commandId = await world.execute("sleeper", "snore");
    await world.as("owner").call("commands.cancel", { params: { commandId } });
    return commandId;
  },
  async failed(world) {
    const id = await world.execute("log-collector", "explode");
    await world.run("--db", ["commands", "wait", id]);
    return id;
  },
  /** Creates a cancelled command whose action requires confirmation. */
  async wiped(world) {
    const actions = [{ name: "wipe", dangerLevel: "HIGH" }];
    await world.registerAgent("edge-3", [
      { code: "guarded", name: "Guarded", version: "1", actions },
    ]);
    const { call, page } = world.as("owner");
    const { data } = await page("services.list", { query: { q: "guarded" } });
    const { command } = await call("actions.execute", {
      params: { serviceId: data[0]?.id ?? "", actionName: "wipe" },
      body: { confirmation: true },
    });
    const commandId = command?.id ?? "";
    await call("commands.cancel", { params: { commandId } });
    return commandId;
  },
};

/** Returns the words, with the result of `things.name` in place of `{name}`. */
export async function filledIn(world: World, words: string): Promise<string[]> {
  const name = /\{(\w+)\}/.exec(words)?.[1];
  const thing = (name && (await things[name]?.(world))) ?? "";
  return words.replace(`{${name}}`, thing).split(" ");
}
