// The page of a program: what it is, all of its commands, its environment, files and exit statuses.

import type { ProgramName } from "../../terminal/io.ts";
import { commandLineSettings, settings } from "../settings.ts";
import { type About, heading } from "./about.ts";
import type { Noun } from "./nouns.ts";
import { bold, italic, paragraph, section, terms, text } from "./roff.ts";

const summaries: Record<ProgramName, string> = {
  platform: "agent management service",
  platformctl: "operate an agent management service",
};

const descriptions: Record<ProgramName, string[]> = {
  platform: [
    "Agents register, report and poll; operators see every service and run its actions.",
    "platform serve is the server, with an embedded SQLite database; it needs no configuration. " +
      "platform agent run brings the programs of a host under its management. platformctl is for operators.",
    "platform and platformctl are one program, whose help begins with the commands of the server under the one name, and with those of operators under the other.",
  ],
  platformctl: [
    "What operators do: see agents and services, run actions, read the audit trail, administer.",
    "It works through a server (--server), in a context where somebody has signed in (platformctl login), or on the database file itself (--db): then whoever may read and write the file may do everything.",
    "platform and platformctl are one program, whose help begins with the commands of the server under the one name, and with those of operators under the other.",
  ],
};

export const exitStatuses: Record<number, string> = {
  0: "Done.",
  1: "Failed; also: the command that was waited for has failed or was cancelled.",
  2: "Wrong usage: a flag, a value, a setting, or a payload that does not fit.",
  3: "Not found.",
  4: "Not signed in, or not allowed.",
  5: "Conflict: a wrong state, a confirmation that is missing, a name that means several.",
  6: "The server cannot be reached, or the database file cannot be opened.",
  8: "Still pending when --timeout ran out.",
  130: "Interrupted.",
};

const files: [path: string, meaning: string][] = [
  ["/etc/platform/platform.env", "Settings of the server that platform.service starts."],
  ["/etc/platform/agents/NAME.yaml", "What platform-agent@NAME.service manages."],
  [
    "/etc/platform/agents/NAME.env",
    "Its environment: PLATFORM_REGISTRATION_TOKEN until it is registered.",
  ],
  [
    "/var/lib/platform",
    "The database of that server, with its keys. Who may read it may do everything.",
  ],
  ["/var/lib/platform-agent/NAME", "The token of that agent, and its journal."],
  [
    "$XDG_CONFIG_HOME/platform/contexts.json",
    "Servers where this user has signed in; ~/.config when the variable is not set.",
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
    section("DESCRIPTION", ...descriptions[program].map((said) => paragraph(text(said)))),
    section("COMMANDS", terms(nouns.map(nounTerm))),
    section(
      "ENVIRONMENT",
      paragraph("Of the command line:"),
      terms(
        commandLineSettings.map(({ variable, meaning }) => [bold(variable), text(`${meaning}.`)]),
      ),
      paragraph(`Of the server; flags of ${bold("serve")} beat them:`),
      terms(settings.map((setting) => [bold(setting.variable), text(toldSetting(setting))])),
      paragraph(text("HTTPS_PROXY, HTTP_PROXY and NO_PROXY count as for other programs.")),
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

/** A page, and the commands that it tells of. */
function nounTerm({ word, page, summary, commands }: Noun): [string, string] {
  const verbs = commands
    .map(({ name }) => name.slice(word.length + 1))
    .filter((verb) => verb !== "");
  const told = verbs.length === 0 ? "" : ` Commands: ${verbs.join(", ")}.`;
  return [`${bold(page)}(1)`, text(`${summary}.${told}`)];
}

function toldSetting({ meaning, byDefault }: (typeof settings)[number]): string {
  const value = "value" in byDefault ? byDefault.value : byDefault.words;
  return `${meaning}. Default: ${value}.`;
}
