// How the commands of administration end when they do not work.

import type { World } from "../world.ts";
import type { Failures } from "./failure.ts";

export const adminFailures: Failures = {
  USAGE: [
    [
      "a time that is none",
      "commands list --from yesterday",
      /--from must be a time such as 2026-01-31T08:00:00Z, or how long ago, .* not yesterday/,
    ],
    ["a user without a name", "users create --role owner", /--username is missing/],
    [
      "a user without a role",
      "users create --username ada",
      /--role is missing: owner, operator or viewer/,
    ],
    [
      "a password that nobody is there to type",
      "users create --username ada --role owner",
      /give --password-stdin: nobody is there to ask/,
    ],
    [
      "no password on standard input",
      "users create --username ada --role owner --password-stdin",
      /standard input must be the password, in one line/,
    ],
    [
      "a change of nothing",
      async (world) => ["users", "update", await ada(world)],
      /give a change: --username, --role, --disable or --enable/,
    ],
    [
      "enabling and disabling at once",
      "users update ada --enable --disable",
      /--enable or --disable, not both/,
    ],
    [
      "a setting that there is not",
      "settings set auditRetentonDays=3",
      /there is no setting auditRetentonDays; did you mean auditRetentionDays\?/,
    ],
    [
      "a setting without a value",
      "settings set auditRetentionDays",
      /give NAME=VALUE, not auditRetentionDays/,
    ],
    [
      "a setting that is no number",
      "settings set auditRetentionDays=many",
      /auditRetentionDays must be a whole number, or default, not many/,
    ],
    [
      "two forms of metrics at once",
      "metrics --prometheus --columns totals.users",
      /--prometheus has its own format/,
    ],
  ],
  VALIDATION_FAILED: [
    [
      "a password that is too weak",
      "users create --username ada --role owner --password-stdin",
      /password: must have 12 to 128 characters/,
      { stdin: "changeme\n" },
    ],
    ["a setting that is too great", "settings set auditRetentionDays=99999", /auditRetentionDays/],
  ],
  REGISTRATION_TOKEN_NOT_FOUND: [
    [
      "a registration token that there is not",
      "tokens revoke nothing",
      /there is no registration token nothing/,
    ],
  ],
  USER_NOT_FOUND: [
    [
      "a user that there is not",
      async (world) => ["users", "delete", `${await ada(world)}h`],
      /there is no user adah. Did you mean ada\?/,
    ],
  ],
  API_KEY_NOT_FOUND: [
    [
      "an API key that there is not",
      "api-keys revoke key_01K00000000000000000000000 --yes",
      /There is no API key key_01K/,
    ],
  ],
  COMMAND_NOT_FOUND: [
    [
      "a retry of a command that there is not",
      "commands retry cmd_01K",
      /there is no command cmd_01K\. `commands list` shows their ids/,
    ],
  ],
  FORBIDDEN: [
    [
      "a role that may not see users",
      "users list",
      /needs the role owner; yours is operator/,
      {
        way: "--server",
        env: async ({ as }) => {
          const body = { name: "worker", role: "operator" as const };
          return { API_KEY: (await as("owner").call("api-keys.create", { body })).key };
        },
      },
    ],
  ],
  REGISTRATION_TOKEN_ACTIVE: [
    [
      "a registration token that still lets agents in",
      async ({ as }) => {
        const token = await as("owner").call("registration-tokens.create", { body: {} });
        return ["tokens", "delete", token.id];
      },
      /can still let an agent in: revoke it before you delete it/,
    ],
  ],
  CONFIRMATION_REQUIRED: [
    [
      "a token to revoke that nobody confirms",
      async ({ as }) => {
        const body = { name: "edge-7" };
        const token = await as("owner").call("registration-tokens.create", { body });
        return ["tokens", "revoke", token.id];
      },
      /Revoke the registration token edge-7 \(rtk_\w+\)\? Add --yes/,
    ],
    [
      "a key to revoke that nobody confirms",
      "api-keys revoke test",
      /Revoke the API key test \(key_\w+\)\?.* Add --yes/,
    ],
    [
      "a user to delete that nobody confirms",
      async (world) => ["users", "delete", await ada(world)],
      /Delete the user ada \(owner\)\? Add --yes/,
    ],
    [
      "a lower role that nobody confirms",
      async (world) => ["users", "update", await ada(world), "--role", "viewer"],
      /Change ada from owner to viewer\? Add --yes/,
    ],
    [
      "a lock-out that nobody confirms",
      async (world) => ["users", "update", await ada(world), "--disable", "--role", "viewer"],
      /Disable ada \(owner\), change the role to viewer, and end the sessions\? Add --yes/,
    ],
    [
      "a retry that nobody confirms",
      async (world) => ["commands", "retry", await cancelledWipe(world)],
      /Run wipe \(HIGH\) on guarded again\? Add --yes/,
    ],
    [
      "to delete an agent that nobody confirms",
      "agents delete edge-1",
      /Delete edge-1 with its services and its token\? Its commands stay. Add --yes/,
    ],
  ],
  LAST_OWNER: [
    [
      "the last owner",
      async (world) => ["users", "update", await ada(world), "--disable", "--yes"],
      /last active owner/,
    ],
  ],
  USERNAME_TAKEN: [
    [
      "a username that is taken",
      async (world) => {
        await ada(world);
        return ["users", "create", "--username", "ADA", "--role", "viewer", "--password-stdin"];
      },
      /There is a user ada already/,
      { stdin: "correct horse battery\n" },
    ],
  ],
  AGENT_NOT_OFFLINE: [
    [
      "to delete an agent that lives",
      "agents delete edge-1 --yes",
      /The agent edge-1 is ONLINE. Stop it, or revoke its token/,
    ],
  ],
  SERVICE_NOT_OFFLINE: [
    [
      "to delete a service that is reported",
      "services delete sleeper --yes",
      /The service sleeper is UNHEALTHY: the agent edge-2 reports it, and would bring it back/,
    ],
  ],
  COMMAND_NOT_RETRYABLE: [
    [
      "a retry of what has not failed",
      async (world) => ["commands", "retry", await world.execute("sleeper", "snore")],
      /Only a command that failed or was cancelled can be retried; this one is PENDING/,
    ],
  ],
};

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
