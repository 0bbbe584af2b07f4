import type { CommandSpec, OptionSpec } from "../../command.ts";
import { callsApi, fileOption, option, yes } from "../../options.ts";

const debug: OptionSpec = option("--debug", "print each request on stderr, without secrets");

export const sessions = (): CommandSpec[] => [
  {
    name: "login",
    summary: "Sign in to a server, and make it the current context",
    options: [
      option("--server <url>", "the server (PLATFORM_URL, or that of the current context)"),
      option("--username <name>", "the username; if missing, asked for on a terminal"),
      option("--password-stdin", "read the password from standard input"),
      option("--name <context>", "the context's name (default: the host)"),
      fileOption(
        "--ca-file <file>",
        "trust this certificate of your own CA, and save it (PLATFORM_CA_FILE)",
      ),
      debug,
    ],
    examples: [
      "login --server https://agents.example.com",
      "login --username ci --password-stdin < password.txt",
    ],
    run: async () => (await import("./login.ts")).login,
  },
  {
    name: "logout",
    summary: "End the session, here and on the server",
    options: [option("--context <name>", "use this context, not the current one"), debug],
    run: async () => (await import("./login.ts")).logout,
  },
  {
    name: "whoami",
    summary: "Show which user and server your commands use",
    ...callsApi,
    onlyPrints: true,
    run: async () => (await import("./whoami.ts")).whoAmI,
  },
  {
    name: "sessions list",
    summary: "List your sessions, most recently used first",
    output: "rows",
    destination: true,
    run: async () => (await import("./sessions.ts")).listOwnSessions,
  },
  {
    name: "sessions end",
    summary: "End one of your sessions, or all except the current one",
    args: [{ name: "[session]", summary: "id or short id" }],
    options: [option("--others", "all except the current one"), yes],
    ...callsApi,
    examples: ["sessions end ses_01M7ZD99", "sessions end --others --yes"],
    run: async () => (await import("./sessions.ts")).endOwnSessions,
  },
];
