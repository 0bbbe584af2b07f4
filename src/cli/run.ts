// Parses and runs a single command.

import { CommanderError } from "commander";
import type { CommandSpec } from "./command.ts";
import { allCommands, commandsThatBeginWith } from "./commands/index.ts";
import { exit, reportFailure, usageError } from "./exit.ts";
import { optionsOf } from "./options.ts";
import { wrapLines } from "./output/text-width.ts";
import { buildProgram } from "./program.ts";
import type { Io } from "./terminal/io.ts";
import { OutputGone } from "./terminal/lost-output.ts";

/** Returns the exit status. Never throws. */
export async function runCommand(terminal: Io, given: string[]): Promise<number> {
  const io = ioOfCommand(terminal);
  const words = given[0] === "help" ? askingForHelp(given.slice(1)) : given;
  try {
    let status: number = exit.done;
    const found = await commandsThatBeginWith(words[0] ?? "");
    const commands = found.length > 0 ? found : await allCommands();
    const done = (ended: number) => {
      status = ended;
    };
    const program = buildProgram(io, words, commands, { done, run: runCommand });
    await program.parseAsync(unknownAmong(words, found) ?? words, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof OutputGone) return exit.done;
    const failure = error instanceof CommanderError ? await fromParser(io, error, words) : error;
    if (typeof failure === "number") return failure;
    return reportFailure(io, failure, wantsJson(words));
  }
}

/**
 * Returns the words up to the first one that names no command; null if there is none. Given only
 * these words, the parser reports the unknown one. With all words, a `--help` among them would make
 * it print help instead.
 */
function unknownAmong(words: string[], found: readonly CommandSpec[]): string[] | null {
  const [first = "", second = ""] = words;
  const isWord = (text: string) => /^[^-]/.test(text);
  if (!isWord(first)) return null;
  if (found.length === 0) return [first];
  const isKnown = found.some(({ name }) => name === first || name === `${first} ${second}`);
  return isKnown || !isWord(second) || second === "help" ? null : [first, second];
}

/** Wraps messages, but not JSON or coloured text. Refuses to read stdin twice. */
function ioOfCommand(io: Io): Io {
  const { noteWidth } = io;
  const isMessage = (text: string) => !text.startsWith("{") && !text.includes("\u001b");
  const own: Io = {
    ...io,
    note: (text, isOutput = false) =>
      io.note(!isOutput && isMessage(text) ? wrapLines(text, noteWidth) : text, isOutput),
    async readStdin(signal) {
      if (own.hasReadStdin) {
        throw usageError("give - only once: standard input can be read only once.");
      }
      own.hasReadStdin = true;
      return io.readStdin(signal);
    },
  };
  return own;
}

/** `help rollouts start` is the same as `rollouts start --help`. */
function askingForHelp(words: string[]): string[] {
  return [...words.filter((word) => !word.startsWith("-")).slice(0, 2), "--help"];
}

/** Returns an exit status if the parser has printed help; otherwise an error. */
async function fromParser(io: Io, error: CommanderError, words: string[]) {
  const { code, exitCode, message } = error;
  if (exitCode === 0) return exit.done;
  if (code === "commander.help") return exit.usage;
  const said = message.replace(/^error: /, "").replaceAll("\n", " ");
  const isEarly = code === "commander.unknownOption" && words[0]?.startsWith("-");
  if (isEarly) return usageError(`${said}: put flags after the command`);
  const forMany = withSelector(said, words);
  if (forMany) return usageError(`${said}; to ${forMany.what}: ${io.program} ${forMany.use}`);
  const misplaced = code === "commander.excessArguments" ? await misplacedFile(words) : null;
  if (misplaced) return usageError(`${said} (Did you mean --config ${misplaced}?)`);
  const field = code === "commander.excessArguments" ? await fieldWithoutSet(words) : null;
  const selector = code === "commander.excessArguments" ? spacedSelector(words) : null;
  if (selector) return usageError(`${said} (Did you mean ${selector}?)`);
  if (field) return usageError(`${said} (Did you mean --set ${field}?)`);
  if (code === "commander.missingArgument") {
    const { listChoices } = await import("./names/missing-argument.ts");
    return usageError(said + (await listChoices(io, words)));
  }
  if (code === "commander.unknownCommand") return usageError(await withCommands(io, said, words));
  if (said.startsWith("unknown option '--json'") && (await printsJson(words)))
    return usageError("unknown option '--json': use -o json");
  if (said.startsWith("unknown option '--since") && (await hasOption(words, "--from")))
    return usageError("unknown option '--since': use --from, for example --from 24h");
  // The name `--version` resembles many mistyped options.
  return usageError(said.replace(" (Did you mean --version?)", ""));
}

/** Adds the command that was probably meant, or the commands of the group. */
async function withCommands(io: Io, said: string, words: string[]): Promise<string> {
  const meant = await meantBy(words);
  if (meant !== null)
    return `${said.replace(/ \(Did you mean .*\)$/, "")} (Did you mean ${meant}?)`;
  if (said.endsWith("?)")) return said;
  const [group = ""] = words;
  const ofGroup = (await allCommands()).filter(
    ({ name, hidden }) => !hidden && name.startsWith(`${group} `),
  );
  if (ofGroup.length === 0) return `${said}; ${io.program} --help lists all commands`;
  const names = ofGroup.map(({ name }) => name.slice(group.length + 1)).sort();
  return `${said}; ${io.program} ${group} has ${names.join(", ")}`;
}

/** The names of our commands in other tools. */
const knownElsewhere = new Map([
  ["hosts", "agents"],
  ["jobs", "commands"],
  ["logs", "commands logs"],
  ["run", "actions run"],
  ["status", "attention list"],
]);

/**
 * Finds a command by its name in other tools, the same command in the sibling group (`agent` and
 * `agents` are both groups), or a command with the two words swapped.
 */
async function meantBy([group = "", name = ""]: string[]): Promise<string | null> {
  const meant = [`${group}s ${name}`, `${group.replace(/s$/, "")} ${name}`, `${name} ${group}`];
  const found = (await allCommands()).find((spec) => meant.includes(spec.name));
  return found?.name ?? knownElsewhere.get(group) ?? null;
}

async function specOf([first = "", second]: string[]) {
  const specs = await commandsThatBeginWith(first);
  return specs.find(({ name }) => name === first || name === `${first} ${second}`);
}

async function hasOption(words: string[], flag: string): Promise<boolean> {
  const spec = await specOf(words);
  return spec !== undefined && optionsOf(spec).some(({ flags }) => flags.startsWith(`${flag} `));
}

async function printsJson(words: string[]): Promise<boolean> {
  const spec = await specOf(words);
  const formats = spec && optionsOf(spec).find(({ flags }) => flags.startsWith("-o, "))?.choices;
  return formats?.includes("json") ?? false;
}

/** Returns what to use instead if a selector was given to a command for one service. */
function withSelector(said: string, [group, verb = ""]: string[]) {
  if (!/^unknown option '(-l|--selector)/.test(said)) return null;
  if (group === "actions" && ["run", "plan", "prepare"].includes(verb))
    return { what: "run an action on many services", use: "rollouts start ACTION -l SELECTOR" };
  if (group === "schedules" && verb === "create")
    return { what: "schedule a rollout", use: "schedules create -f FILE" };
  if (group === "schedules" && verb === "update")
    return { what: "change a rollout", use: "schedules update NAME -f FILE" };
  return null;
}

/** Finds the file after a forgotten `--config`, as in `agent run agent.yaml`. */
async function misplacedFile(words: string[]): Promise<string | null> {
  const takesFile = await hasOption(words, "--config");
  return (takesFile && words.slice(2).find((word) => /\.ya?ml$|\//.test(word))) || null;
}

/** Finds the field after a forgotten `--set`, as in `actions run shop set-level level=debug`. */
async function fieldWithoutSet(words: string[]): Promise<string | null> {
  const takesFields = await hasOption(words, "--set");
  return (takesFields && words.slice(2).find((word) => /^[^-=]+=/.test(word))) || null;
}

/** Finds a selector that the shell has divided, as in `agents list -l tier = web`. */
function spacedSelector(words: string[]): string | null {
  const at = words.findIndex((word) => word === "-l" || word === "--selector");
  const [key, sign, value] = words.slice(at + 1);
  if (at === -1 || !/^(?:==?|!=)$/.test(sign ?? "")) return null;
  return `-l '${key}${sign}${value ?? ""}'`;
}

/** Also works for words that cannot be parsed, so that their error is JSON, too. */
function wantsJson(words: string[]): boolean {
  return words.some(
    (word, index) =>
      /^(-o|--output=)jsonl?$/.test(word) ||
      ((word === "-o" || word === "--output") && /^jsonl?$/.test(words[index + 1] ?? "")),
  );
}
