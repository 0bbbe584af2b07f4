// How the commands of administration end when they do not work.

import type { World } from "../world.ts";
import type { Failure } from "./failure.ts";

export const adminFailures: Failure[] = [
  {
    what: "a time that is none",
    words: ["commands", "list", "--from", "yesterday"],
    status: 2,
    code: "USAGE",
    says: /--from must be a time such as 2026-01-31T08:00:00Z, or how long ago, .* not yesterday/,
  },
  {
    what: "a user without a name",
    words: ["users", "create", "--role", "owner"],
    status: 2,
    code: "USAGE",
    says: /say who: --username NAME/,
  },
  {
    what: "a user without a role",
    words: ["users", "create", "--username", "ada"],
    status: 2,
    code: "USAGE",
    says: /say what ada may do: --role owner, operator or viewer/,
  },
  {
    what: "a password that nobody is there to type",
    words: ["users", "create", "--username", "ada", "--role", "owner"],
    status: 2,
    code: "USAGE",
    says: /give --password-stdin: nobody is there to ask/,
  },
  {
    what: "no password on standard input",
    words: ["users", "create", "--username", "ada", "--role", "owner", "--password-stdin"],
    status: 2,
    code: "USAGE",
    says: /standard input must be the password, in one line/,
  },
  {
    what: "a password that is too weak",
    words: ["users", "create", "--username", "ada", "--role", "owner", "--password-stdin"],
    stdin: "changeme\n",
    status: 2,
    code: "VALIDATION_FAILED",
    says: /password: must have 12 to 128 characters/,
  },
  {
    what: "a change of nothing",
    words: async (world) => ["users", "update", await ada(world)],
    status: 2,
    code: "USAGE",
    says: /say what to change: --username, --role, --disable or --enable/,
  },
  {
    what: "enabling and disabling at once",
    words: ["users", "update", "ada", "--enable", "--disable"],
    status: 2,
    code: "USAGE",
    says: /--enable or --disable, not both/,
  },
  {
    what: "a setting that there is not",
    words: ["settings", "set", "auditRetentonDays=3"],
    status: 2,
    code: "USAGE",
    says: /there is no setting auditRetentonDays. Did you mean auditRetentionDays\?/,
  },
  {
    what: "a setting without a value",
    words: ["settings", "set", "auditRetentionDays"],
    status: 2,
    code: "USAGE",
    says: /set as NAME=VALUE, not auditRetentionDays/,
  },
  {
    what: "a setting that is no number",
    words: ["settings", "set", "auditRetentionDays=many"],
    status: 2,
    code: "USAGE",
    says: /auditRetentionDays must be a whole number, or default, not many/,
  },
  {
    what: "a setting that is too great",
    words: ["settings", "set", "auditRetentionDays=99999"],
    status: 2,
    code: "VALIDATION_FAILED",
    says: /auditRetentionDays/,
  },
  {
    what: "two forms of metrics at once",
    words: ["metrics", "--prometheus", "--columns", "totals.users"],
    status: 2,
    code: "USAGE",
    says: /--prometheus is a form by itself/,
  },
  {
    what: "a registration token that there is not",
    words: ["tokens", "revoke", "nothing"],
    status: 3,
    code: "REGISTRATION_TOKEN_NOT_FOUND",
    says: /there is no registration token nothing/,
  },
  {
    what: "a user that there is not",
    words: async (world) => ["users", "delete", `${await ada(world)}h`],
    status: 3,
    code: "USER_NOT_FOUND",
    says: /there is no user adah. Did you mean ada\?/,
  },
  {
    what: "an API key that there is not",
    words: ["api-keys", "revoke", "key_01K00000000000000000000000", "--yes"],
    status: 3,
    code: "API_KEY_NOT_FOUND",
    says: /There is no API key key_01K/,
  },
  {
    what: "a retry of a command that there is not",
    words: ["commands", "retry", "cmd_01K"],
    status: 3,
    code: "COMMAND_NOT_FOUND",
    says: /there is no command cmd_01K\. `commands list` shows their ids/,
  },
  {
    what: "a role that may not see users",
    words: ["users", "list"],
    way: "--server",
    env: async ({ as }) => {
      const body = { name: "worker", role: "operator" as const };
      return { API_KEY: (await as("owner").call("api-keys.create", { body })).key };
    },
    status: 4,
    code: "FORBIDDEN",
    says: /needs the role owner; yours is operator/,
  },
  {
    what: "a registration token that still lets agents in",
    words: async ({ as }) => {
      const token = await as("owner").call("registration-tokens.create", { body: {} });
      return ["tokens", "delete", token.id];
    },
    status: 5,
    code: "REGISTRATION_TOKEN_ACTIVE",
    says: /can still let an agent in: revoke it before you delete it/,
  },
  {
    what: "a token to revoke that nobody confirms",
    words: async ({ as }) => {
      const body = { name: "edge-7" };
      const token = await as("owner").call("registration-tokens.create", { body });
      return ["tokens", "revoke", token.id];
    },
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Revoke the registration token edge-7 \(rtk_\w+\)\? Add --yes/,
  },
  {
    what: "a key to revoke that nobody confirms",
    words: ["api-keys", "revoke", "test"],
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Revoke the API key test \(key_\w+\)\?.* Add --yes/,
  },
  {
    what: "a user to delete that nobody confirms",
    words: async (world) => ["users", "delete", await ada(world)],
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Delete the user ada \(owner\)\? Add --yes/,
  },
  {
    what: "a lower role that nobody confirms",
    words: async (world) => ["users", "update", await ada(world), "--role", "viewer"],
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Change ada from owner to viewer\? Add --yes/,
  },
  {
    what: "a lock-out that nobody confirms",
    words: async (world) => ["users", "update", await ada(world), "--disable", "--role", "viewer"],
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Disable ada \(owner\), change the role to viewer, and end the sessions\? Add --yes/,
  },
  {
    what: "the last owner",
    words: async (world) => ["users", "update", await ada(world), "--disable", "--yes"],
    status: 5,
    code: "LAST_OWNER",
    says: /last active owner/,
  },
  {
    what: "a username that is taken",
    words: async (world) => {
      await ada(world);
      return ["users", "create", "--username", "ADA", "--role", "viewer", "--password-stdin"];
    },
    stdin: "correct horse battery\n",
    status: 5,
    code: "USERNAME_TAKEN",
    says: /There is a user ada already/,
  },
  {
    what: "a retry that nobody confirms",
    words: async (world) => ["commands", "retry", await cancelledWipe(world)],
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Run wipe \(HIGH\) on guarded again\? Add --yes/,
  },
  {
    what: "to delete an agent that lives",
    words: ["agents", "delete", "edge-1", "--yes"],
    status: 5,
    code: "AGENT_NOT_OFFLINE",
    says: /The agent edge-1 is ONLINE. Stop it, or revoke its token/,
  },
  {
    what: "to delete an agent that nobody confirms",
    words: ["agents", "delete", "edge-1"],
    status: 5,
    code: "CONFIRMATION_REQUIRED",
    says: /Delete edge-1 with its services and its token\? Its commands stay. Add --yes/,
  },
  {
    what: "to delete a service that is reported",
    words: ["services", "delete", "sleeper", "--yes"],
    status: 5,
    code: "SERVICE_NOT_OFFLINE",
    says: /The service sleeper is UNHEALTHY: the agent edge-2 reports it, and would bring it back/,
  },
  {
    what: "a retry of what has not failed",
    words: async (world) => ["commands", "retry", await world.execute("sleeper", "snore")],
    status: 5,
    code: "COMMAND_NOT_RETRYABLE",
    says: /Only a command that failed or was cancelled can be retried; this one is PENDING/,
  },
];

/** An action that wants a confirmation, cancelled; answers the command's id. */
async function cancelledWipe(world: World): Promise<string> {
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
  await call("commands.cancel", { params: { commandId: command.id } });
  return command.id;
}

/** The one owner, made once; answers the name. */
async function ada({ as }: World): Promise<string> {
  const { data } = await as("owner").page("users.list");
  const body = { username: "ada", password: "correct horse battery", role: "owner" as const };
  if (data.length === 0) await as("owner").call("users.create", { body });
  return "ada";
}
