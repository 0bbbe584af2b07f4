import type { CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { argumentFor, callsApi, option, requestId, yes } from "../../options.ts";

const user = argumentFor("users");
const roles = ["owner", "operator", "viewer"];
const passwordStdin: OptionSpec = option(
  "--password-stdin",
  "read the password from standard input",
);

const own: CommandSpec[] = [
  {
    name: "users create",
    summary: "Create a user; asks for the password",
    args: [{ name: "[username]", summary: "the name to sign in with; required" }],
    options: [
      option("--username <name>", "the username, instead of the argument"),
      option("--display-name <name>", "the name to show beside the username"),
      option("--role <role>", "what the user may do", { choices: roles }),
      passwordStdin,
      requestId,
    ],
    ...callsApi,
    examples: [
      "users create ada --role operator",
      "users create ada --display-name 'Ada Lovelace' --role operator",
      "users create ada --role operator --password-stdin <password.txt",
    ],
    run: async () => (await import("./users.ts")).createUser,
  },
  {
    name: "users update",
    summary: "Change a user's username, display name or role, or disable or enable the user",
    args: [user],
    options: [
      option("--username <name>", "the new username"),
      option("--display-name <name>", "the name to show beside the username; '' for none"),
      option(
        "--role <role>",
        "the new role; ends the sessions, and revokes API keys with a higher role",
        { choices: roles },
      ),
      option("--disable", "disable the user; ends the sessions and revokes the user's API keys"),
      option("--enable", "enable the user"),
      option("-y, --yes", "do not ask before lowering the role or disabling the user"),
    ],
    ...callsApi,
    examples: [
      "users update ada --role owner",
      "users update ada --display-name 'Ada Lovelace'",
      "users update ada --disable --yes",
    ],
    run: async () => (await import("./users.ts")).updateUser,
  },
  {
    name: "users disable",
    summary: "Disable a user, and end the user's sessions",
    args: [user],
    options: [yes],
    ...callsApi,
    examples: ["users disable ada --yes"],
    run: async () => (await import("./users.ts")).disableUser,
  },
  {
    name: "users enable",
    summary: "Enable a disabled user",
    args: [user],
    ...callsApi,
    run: async () => (await import("./users.ts")).enableUser,
  },
  {
    name: "users set-password",
    summary:
      "Set a user's password; the user's sessions and any lock after failed sign-ins continue",
    args: [user],
    options: [passwordStdin],
    ...callsApi,
    examples: ["users set-password ada", "users set-password ada --password-stdin <password.txt"],
    run: async () => (await import("./passwords.ts")).setPassword,
  },
  {
    name: "users sessions",
    summary: "List a user's sessions, most recently used first",
    args: [user],
    output: "rows",
    destination: true,
    run: async () => (await import("../sessions/sessions.ts")).listUserSessions,
  },
  {
    name: "users delete",
    summary: "Delete a user; ends the sessions and revokes the user's API keys",
    args: [user],
    options: [yes],
    ...callsApi,
    run: async () => (await import("./users.ts")).deleteUser,
  },
];

export const users = (): CommandSpec[] => commandsOf("users", { own });
