// No payload value may be read as code by a shell or another interpreter. When in doubt, the check
// refuses the placeholder.

import { basename } from "node:path";
import { placeholdersIn } from "./template.ts";

/** The names have no versions: python3.12 counts as python. */
const interpreters = words(
  "sh ash bash csh dash fish ksh mksh rbash rksh rzsh tcsh yash zsh cmd elvish nu pwsh xonsh",
  "powershell awk gawk mawk nawk bun deno expect groovy guile julia lua luajit node nodejs",
  "osascript perl php pypy python rscript ruby sed tclsh tsx",
);
/** Shells whose first argument is a user, not a file. */
const usersShells = words("su runuser");
/** Programs that join all their arguments into one script. */
const joiners = words(
  "ssh rsh mosh eval watch parallel script sg at batch tmux screen",
  // capsh runs a shell with the arguments after `--`.
  "capsh",
  // Build tools expand `$(shell …)` in their arguments, and accept the argument SHELL=….
  "make gmake bmake just ninja rake",
);

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

/** Returns a message for operators if this argument must not contain a placeholder, or null. */
export function problemBehindInterpreter(command: string[], at: number): string | null {
  for (const [start, word] of command.slice(0, at + 1).entries()) {
    // An argument with values may itself be a whole command, as in env -S "bash -c …".
    const name = nameOf(start === at ? (word.trim().split(/\s/)[0] ?? "") : word);
    if (joiners.has(name)) {
      return `${name} joins its arguments into a script, so a value would become code: put the whole command into a script file`;
    }
    const isUsersShell = usersShells.has(name);
    if (!isUsersShell && !interpreters.has(name)) continue;
    const isSafe =
      (!isUsersShell && isBehindFile(command, start, at)) || isBehindScript(command, start, at);
    if (!isSafe) return problemOf(name);
  }
  return null;
}

/** Whether an argument may be a script, in which `${…}` can have another meaning. */
export function runsScripts(command: readonly string[]): boolean {
  const names = command.map(nameOf);
  return names.some((name) => [interpreters, usersShells, joiners].some((some) => some.has(name)));
}

function problemOf(name: string): string {
  return (
    `${name} could run a value as code: write the script directly after -c or -e, then --, and ` +
    `then the value as a separate argument, as in [sh, -c, 'echo "$1"', --, "\${payload.field}"]; ` +
    "or put the script into a file"
  );
}

/**
 * `bash deploy.sh …`: the argument after the interpreter is a file, not an option as in `cmd /c`.
 */
function isBehindFile(command: string[], interpreter: number, at: number): boolean {
  const next = command[interpreter + 1] ?? "";
  return at > interpreter + 1 && !isOption(next) && !/^\/[a-z]$/i.test(next);
}

/** `sh -c script -- …`: the argument is a single placeholder after the script's `--`. */
function isBehindScript(command: string[], interpreter: number, at: number): boolean {
  const end = command.indexOf("--", interpreter);
  if (end === -1 || at < end || !isOneValue(command[at] ?? "")) return false;
  const [option = "", script = ""] = command.slice(Math.max(interpreter + 1, end - 2), end);
  return takesScript(option) && script !== "" && !isOption(script);
}

function isOneValue(word: string): boolean {
  const [first, ...others] = placeholdersIn(word);
  return others.length === 0 && first?.text === word;
}

function isOption(word: string): boolean {
  return /^[-+]/.test(word);
}

/** Accepts `-c`, `-ec`, `-e`, `-ne` and `--eval`, but not `-euo`, whose `o` takes a value. */
function takesScript(option: string): boolean {
  return /^-(?=[a-z]*[cenmpr])[a-np-z]+$/i.test(option) || /^--(eval|command|print)$/.test(option);
}

function nameOf(word: string): string {
  return fileNameOf(word).replace(/[\d.]+$/, "");
}

/** Returns the name of the program, in lower case and without `.exe`. */
export function fileNameOf(word: string): string {
  return basename(word.replaceAll("\\", "/"))
    .toLowerCase()
    .replace(/\.exe$/, "");
}
