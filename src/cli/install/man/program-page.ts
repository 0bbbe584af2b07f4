// A program's man page: its commands, environment, files and exit statuses.

import type { ProgramName } from "../../terminal/io.ts";
import { commandLineSettings, settings } from "../settings.ts";
import type { CommandGroup } from "./group-page.ts";
import { type About, bold, heading, italic, paragraph, section, terms, text } from "./roff.ts";

const summaries: Record<ProgramName, string> = {
  platform: "agent management service",
  platformctl: "operate an agent management service",
};

const oneProgram =
  "platform and platformctl are the same program. The help of platform begins with the server commands, " +
  "the help of platformctl with the commands for operators.";

const descriptions: Record<ProgramName, string[]> = {
  platform: [
    "Agents register, report and poll. Operators see every service and run its actions.",
    "platform serve is the server, with an embedded SQLite database. It needs no configuration. " +
      "platform agent run manages the programs of a host. platformctl is for operators.",
    oneProgram,
  ],
  platformctl: [
    "Operators see agents and services, run actions, read the audit trail and administer the service.",
    "platformctl works through a server (--server, or after platformctl login) or on the database file itself (--db). Anyone who can read and write the database file can do everything.",
    oneProgram,
  ],
};

export const exitStatuses: Record<number, string> = {
  0: "Success.",
  1: "The command failed, or waited for a command that failed or was cancelled.",
  2: "Wrong usage: a flag, value, setting or payload is not valid.",
  3: "Not found.",
  4: "You are not signed in, or not allowed.",
  5: "There is a conflict: a wrong state, a missing confirmation, or an ambiguous name.",
  6: "The server cannot be reached, or the database file cannot be opened.",
  7: "A rollout did not succeed on every service.",
  8: "The command is still pending after --timeout, or is not approved.",
  9: "apply --exit-code found a change, or a backup has an audit trail that fails verification.",
  130: "Interrupted.",
};

const files: [path: string, meaning: string][] = [
  ["/etc/platform/platform.env", "Settings of the server that platform.service starts."],
  [
    "/etc/platform/agents/NAME.yaml",
    "Configuration of the agent that platform-agent@NAME.service runs.",
  ],
  [
    "/etc/platform/agents/NAME.env",
    "That agent's environment: PLATFORM_REGISTRATION_TOKEN until the agent is registered.",
  ],
  [
    "/var/lib/platform",
    "The database of that server, with its keys. Anyone who can read it can do everything.",
  ],
  ["/var/lib/platform-agent/NAME", "That agent's token and journal."],
  [
    "$XDG_CONFIG_HOME/platform/contexts.json",
    "The servers that this user has signed in to. Without the variable, the folder is ~/.config.",
  ],
];

export function programPage(
  program: ProgramName,
  groups: readonly CommandGroup[],
  about: About,
): string {
  const other = program === "platform" ? "platformctl" : "platform";
  return [
    heading(program, about),
    section("NAME", `${program} \\- ${text(summaries[program])}\n`),
    section(
      "SYNOPSIS",
      `${bold(program)} ${italic("command")} [${italic("options")}]\n.br\n`,
      `${bold(program)} [${italic("command")}] ${bold("--help")}\n.br\n`,
      `${bold(program)} ${bold("--version")}\n`,
    ),
    section("DESCRIPTION", ...descriptions[program].map((part) => paragraph(text(part)))),
    section("COMMANDS", terms(groups.map(groupTerm))),
    section(
      "ENVIRONMENT",
      paragraph("For the command line:"),
      terms(
        commandLineSettings.map(([variable, meaning]) => [bold(variable), text(`${meaning}.`)]),
      ),
      paragraph(`For the server; flags of ${bold("serve")} override these variables:`),
      terms(settings.map((setting) => [bold(setting.variable), text(settingMeaning(setting))])),
      paragraph(text("HTTPS_PROXY, HTTP_PROXY and NO_PROXY have their usual meaning.")),
    ),
    section("FILES", terms(files.map(([path, meaning]) => [italic(path), text(meaning)]))),
    section(
      "EXIT STATUS",
      terms(Object.entries(exitStatuses).map(([status, meaning]) => [bold(status), text(meaning)])),
    ),
    section(
      "SEE ALSO",
      paragraph(
        [
          ...[other, ...groups.map(({ page }) => page)].map((page) => `${bold(page)}(1)`),
          `${bold("agent.yaml")}(5)`,
        ].join(", "),
      ),
    ),
  ].join("");
}

function groupTerm({ word, page, summary, commands }: CommandGroup): [string, string] {
  const verbs = commands
    .map(({ name }) => name.slice(word.length + 1))
    .filter((verb) => verb !== "");
  const list = verbs.length === 0 ? "" : ` Commands: ${verbs.join(", ")}.`;
  return [`${bold(page)}(1)`, text(`${summary}.${list}`)];
}

function settingMeaning({ meaning, byDefault }: (typeof settings)[number]): string {
  const value = "value" in byDefault ? byDefault.value : byDefault.words;
  return `${meaning}. Default: ${value}.`;
}
