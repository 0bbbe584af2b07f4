// Where a payload's value may stand in a command that runs a shell or another interpreter: it must be
// nothing that is read as a program. In doubt it is refused.

import { basename } from "node:path";
import { placeholdersIn } from "./template.ts";

/** Without the version: python3.12 is python. */
const interpreters = new Set([
  ...[
    "sh",
    "ash",
    "bash",
    "csh",
    "dash",
    "fish",
    "ksh",
    "mksh",
    "rbash",
    "rksh",
    "rzsh",
    "tcsh",
    "yash",
    "zsh",
  ],
  ...["cmd", "elvish", "nu", "pwsh", "xonsh"],
  ...["powershell", "awk", "gawk", "mawk", "nawk", "bun", "deno", "expect", "groovy", "guile"],
  ...["julia", "lua", "luajit", "node", "nodejs", "osascript", "perl", "php", "pypy", "python"],
  ...["rscript", "ruby", "sed", "tclsh", "tsx"],
]);
/** Their first word is a user, not a file. */
const usersShells = new Set(["su", "runuser"]);
/** What they are given is put together to one script, whatever stands before it. */
const joiners = new Set([
  ...[
    "ssh",
    "rsh",
    "mosh",
    "eval",
    "watch",
    "parallel",
    "script",
    "sg",
    "at",
    "batch",
    "tmux",
    "screen",
  ],
  // It runs a shell with what it is given behind its `--`.
  "capsh",
  // They expand `$(shell …)` and the like in what they are given, and take SHELL=… from it.
  ...["make", "gmake", "bmake", "just", "ninja", "rake"],
]);

/** For an operator: why the placeholders of this word must not be there; null when they may. */
export function problemBehindInterpreter(command: string[], at: number): string | null {
  for (const [origin, word] of command.slice(0, at + 1).entries()) {
    // A word with values in it may be a whole command of its own, as in env -S "bash -c …".
    const name = nameOf(origin === at ? (word.trim().split(/\s/)[0] ?? "") : word);
    if (joiners.has(name)) {
      return `${name} makes a script of its words, and a value would be read as a part of it: make the whole command a script file`;
    }
    const isUsersShell = usersShells.has(name);
    if (!isUsersShell && !interpreters.has(name)) continue;
    const isSafe =
      (!isUsersShell && isBehindFile(command, origin, at)) || isBehindScript(command, origin, at);
    if (!isSafe) return problemOf(name);
  }
  return null;
}

/** Whether some word of the command may be a script, with placeholders of its own. */
export function runsScripts(command: readonly string[]): boolean {
  const names = command.map(nameOf);
  return names.some((name) => [interpreters, usersShells, joiners].some((some) => some.has(name)));
}

function problemOf(name: string): string {
  return (
    `a value could be read as a part of what ${name} runs: write the script right behind the -c or -e, ` +
    "then a --, and the value as a word of its own behind that, as in " +
    `[sh, -c, 'echo "$1"', --, "\${payload.field}"]; or make the script a file`
  );
}

/** As in `bash deploy.sh …`: the very next word is the file, and no option (`cmd /c`). */
function isBehindFile(command: string[], interpreter: number, at: number): boolean {
  const next = command[interpreter + 1] ?? "";
  return at > interpreter + 1 && !isOption(next) && !/^\/[a-z]$/i.test(next);
}

/** As in `sh -c script -- …`: a word of its own behind the first `--`, and that behind the script. */
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

/** `-c`, `-ec`, `-e`, `-ne`, `--eval` and the like, but not `-euo`, which has a value of its own. */
function takesScript(option: string): boolean {
  return /^-(?=[a-z]*[cenmpr])[a-np-z]+$/i.test(option) || /^--(eval|command|print)$/.test(option);
}

/** Of the program that a word names, without its version. */
function nameOf(word: string): string {
  return fileNameOf(word).replace(/[\d.]+$/, "");
}

/** Of the program that a word names. */
export function fileNameOf(word: string): string {
  return basename(word.replaceAll("\\", "/"))
    .toLowerCase()
    .replace(/\.exe$/, "");
}
