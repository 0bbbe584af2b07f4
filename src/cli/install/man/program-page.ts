// The page of a program: its commands, environment, files and exit statuses.

import type { ProgramName } from "../../terminal/io.ts";
import { commandLineSettings, settings } from "../settings.ts";
import type { Noun } from "./noun-page.ts";
import { type About, bold, heading, italic, paragraph, section, terms, text } from "./roff.ts";

const summaries: Record<ProgramName, string> = {
  platform: "agent management service",
  platformctl: "operate an agent management service",
};

const oneProgram =
  "platform and platformctl are the same program. The help of platform begins with the commands of the server, " +
  "that of platformctl with those of operators.";

const descriptions: Record<ProgramName, string[]> = {
  platform: [
    "Agents register, report and poll. Operators see every service and run its actions.",
    "platform serve is the server, with an embedded SQLite database. It needs no configuration. " +
      "platform agent run manages the programs of a host. platformctl is for operators.",
    oneProgram,
  ],
  platformctl: [
    "For operators: see agents and services, run actions, read the audit trail, administer the service.",
    "It works through a server (--server), in a context after signing in (platformctl login), or on the database file itself (--db). Anyone who can read and write that file can do everything.",
    oneProgram,
  ],
};

export const exitStatuses: Record<number, string> = {
  0: "Success.",
  1: "Failed. Also: the command that it waited for failed or was cancelled.",
  2: "Wrong usage: a flag, value, setting or payload is not valid.",
  3: "Not found.",
  4: "Not signed in, or not allowed.",
  5: "Conflict: a wrong state, a missing confirmation, or an ambiguous name.",
  6: "Cannot reach the server, or cannot open the database file.",
  8: "Still pending after --timeout.",
  130: "Interrupted.",
};

const files: [path: string, meaning: string][] = [
  ["/etc/platform/platform.env", "Settings of the server that platform.service starts."],
  ["/etc/platform/agents/NAME.yaml", "The configuration of platform-agent@NAME.service."],
  [
    "/etc/platform/agents/NAME.env",
    "Its environment: PLATFORM_REGISTRATION_TOKEN until it is registered.",
  ],
  [
    "/var/lib/platform",
    "The database of that server, with its keys. Anyone who can read it can do everything.",
  ],
  ["/var/lib/platform-agent/NAME", "The token of that agent, and its journal."],
  [
    "$XDG_CONFIG_HOME/platform/contexts.json",
    "The servers where this user has signed in. Without the variable, the folder is ~/.config.",
  ],
];

export function programPage(program: ProgramName, nouns: readonly Noun[], about: About): string {
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
    section("COMMANDS", terms(nouns.map(nounTerm))),
    section(
      "ENVIRONMENT",
      paragraph("Of the command line:"),
      terms(
        commandLineSettings.map(({ variable, meaning }) => [bold(variable), text(`${meaning}.`)]),
      ),
      paragraph(`Of the server; flags of ${bold("serve")} override them:`),
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
          ...[other, ...nouns.map(({ page }) => page)].map((page) => `${bold(page)}(1)`),
          `${bold("agent.yaml")}(5)`,
        ].join(", "),
      ),
    ),
  ].join("");
}

function nounTerm({ word, page, summary, commands }: Noun): [string, string] {
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
