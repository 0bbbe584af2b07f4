// Builds the parser from the table of commands. Loads a command's code only to run it.

import { Argument, Command, Help, InvalidArgumentError, Option } from "commander";
import type { Client } from "../client/client.ts";
import { AppError } from "../domain/errors.ts";
import { pageSize } from "../domain/limits.ts";
import { formatDuration, parseDurationSeconds } from "../lib/duration.ts";
import {
  type ArgumentSpec,
  type CommandSpec,
  firstWordOf,
  type Invocation,
  type OptionSpec,
  type Options,
} from "./command.ts";
import { commandLine, groupSummaries, headingOf } from "./commands/index.ts";
import { wordedFor } from "./error-words.ts";
import { optionsOf } from "./options.ts";
import { loadYaml } from "./output/yaml.ts";
import { Interrupted } from "./terminal/interrupted.ts";
import type { Io } from "./terminal/io.ts";
import { OutputGone } from "./terminal/lost-output.ts";
import { programVersion } from "./version.ts";

/** To start faster, adds arguments and options only to the command that the words name. */
export function buildProgram(
  io: Io,
  words: string[],
  commands: readonly CommandSpec[],
  caller: Caller,
): Command {
  const program = new Command(io.program)
    .description("Agents register, report and poll; operators see services and run their actions.")
    .version(programVersion(io.env.VERSION), "-V, --version")
    .exitOverride()
    // runCommand reports parse errors like any other failure.
    .configureOutput({
      writeOut: io.out,
      writeErr: io.note,
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(io),
      getErrHelpWidth: () => helpWidth(io),
    })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText("after", () => footer(io));
  const serverFirst = (spec: CommandSpec) => Number(io.program === "platform" && !spec.server);
  const [first = "", second] = words.filter((word) => word !== "help" && !word.startsWith("-"));
  const named = commands.find(({ name }) => name === `${first} ${second}`);
  for (const spec of commands.toSorted((a, b) => serverFirst(a) - serverFirst(b))) {
    const command = addCommand(program.commandsGroup(`${headingOf(firstWordOf(spec))}:`), spec);
    // The help of a group also shows the arguments of its commands.
    if (named ? spec === named : firstWordOf(spec) === first) complete(command, spec, io, caller);
  }
  // Commander adds the command `help`.
  return program.commandsGroup("Help:").helpCommand(true);
}

function addCommand(program: Command, spec: CommandSpec): Command {
  const words = spec.name.split(" ");
  const leaf = words.at(-1) ?? "";
  const parent = words.length > 1 ? parentOf(program, words[0] ?? "") : program;
  return parent.command(leaf, { hidden: spec.hidden ?? false }).description(spec.summary);
}

interface Caller {
  /** Gets the command's exit status. */
  done(status: number): void;
  run: Invocation["run"];
}

function complete(command: Command, spec: CommandSpec, io: Io, { done, run }: Caller): void {
  for (const argument of spec.args ?? []) command.addArgument(toArgument(argument));
  for (const option of optionsOf(spec)) command.addOption(toOption(option, spec));
  // Every command accepts --yes, so that scripts need not know which commands ask.
  const asks = optionsOf(spec).some(({ flags }) => flags.includes("--yes"));
  if (!asks) command.addOption(new Option("-y, --yes").hideHelp());
  const { examples } = spec;
  if (examples) command.addHelpText("after", () => examplesOf(io, examples));
  command.action(async (...given: unknown[]) => {
    const count = spec.args?.length ?? 0;
    const args = given.slice(0, count).flat() as string[];
    done((await invoke({ io, args, run }, spec, command.opts())) ?? 0);
  });
}

async function invoke(
  call: Pick<Invocation, "io" | "args" | "run">,
  spec: CommandSpec,
  given: Record<string, unknown>,
): Promise<number | undefined> {
  const onlyPrints = spec.onlyPrints || spec.output === "rows";
  // The client shares this object, because a command can choose the database to connect to.
  const options: Options = {
    ...given,
    onlyPrints,
    ...(spec.csv ? { csv: spec.csv } : {}),
  };
  let client: Client | null = null;
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const { io } = call;
  const invocation: Invocation = {
    ...call,
    table: commandLine,
    signal,
    options,
    async client() {
      const { connect } = await import("./connecting/connect.ts");
      client ??= await connect(io, options, signal);
      return client;
    },
  };
  const unhook = spec.endsItself ? null : io.onInterrupt(() => interrupt.abort(new Interrupted()));
  // Commands that only print stop when nobody reads their output. Others finish their work.
  const lost = () => interrupt.abort(new OutputGone("nobody reads standard output"));
  const unhookOutput = onlyPrints ? io.onLostOutput(lost) : null;
  try {
    if (spec.output === true || options.output === "yaml") await loadYaml();
    const run = await spec.run();
    return (await run(invocation)) ?? undefined;
  } catch (error) {
    throw wordedFor(spec, options, client === null ? error : await completed(error, client));
  } finally {
    unhook?.();
    unhookOutput?.();
    await (client as Client | null)?.close();
  }
}

/** Loads the search only for the errors that it completes. */
async function completed(error: unknown, client: Client): Promise<unknown> {
  if (!(error instanceof AppError) || !error.code.endsWith("_NOT_FOUND")) return error;
  const { withNearestName } = await import("./names/unknown-name.ts");
  return withNearestName(error, client);
}

function parentOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  if (known) return known;
  return program.command(name).description(groupSummaries[name] ?? "");
}

function toArgument(spec: ArgumentSpec): Argument {
  const argument = new Argument(spec.name, spec.summary);
  return spec.choices ? argument.choices(spec.choices) : argument;
}

function toOption(spec: OptionSpec, { options = [] }: CommandSpec): Option {
  const option = new Option(spec.flags, spec.summary);
  if (spec.choices) option.choices(spec.choices);
  if (spec.default !== undefined) {
    const shown = spec.kind === "duration" ? formatDuration(Number(spec.default)) : undefined;
    option.default(spec.default, shown);
  }
  const read = inKnownCase(typeof spec.completes === "object" ? spec.completes : []);
  const isOwnText = spec.kind === undefined && !spec.choices && options.includes(spec);
  if (isOwnText && spec.flags.includes("<")) option.argParser(once(read, spec.default));
  const parsers = { several: several(read), duration, integer, limit, repeat: collect };
  if (spec.kind) option.argParser(parsers[spec.kind] as (text: string) => unknown);
  return option;
}

/** Accepts any letter case. The server rejects unknown words. */
function inKnownCase(words: readonly string[]) {
  return (text: string) => words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
}

/** Rejects an option that is given twice. Commander would silently use the last value. */
function once(read: (text: string) => string, byDefault: unknown) {
  return (text: string, before: unknown) => {
    if (before === byDefault) return read(text);
    throw new InvalidArgumentError("The option is given twice, but accepts only one value.");
  };
}

function several(read: (text: string) => string) {
  return (text: string, before: string[] | undefined) => {
    const words = text.split(",").map((word) => word.trim());
    if (words.includes(""))
      throw new InvalidArgumentError("A value before or after a comma is missing.");
    return [...(before ?? []), ...words.map(read)];
  };
}

function duration(text: string): number {
  const seconds = parseDurationSeconds(text);
  if (seconds === null) throw new InvalidArgumentError("Use a duration such as 90s, 15m or 24h.");
  return seconds;
}

function integer(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Use a whole number.");
  return Number(text);
}

function limit(text: string): number {
  const count = integer(text);
  if (count >= 1 && count <= pageSize.max) return count;
  throw new InvalidArgumentError(`Use a number from 1 to ${pageSize.max}; --page shows more rows.`);
}

function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text];
}

function examplesOf(io: Io, examples: string[]): string {
  const lines = examples.map((line) => `${continued(`${io.program} ${line}`, helpWidth(io))}\n`);
  return `\nExamples:\n${lines.join("")}`;
}

/** Breaks a long command between two words, in a form that a shell accepts. */
function continued(command: string, width: number): string {
  let [line = "", ...words] = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    // Room for the indentation, the space before the word and the backslash.
    if (line.length + word.length + 5 <= width) line += ` ${word}`;
    else {
      lines.push(`  ${line} \\\n`);
      line = `  ${word}`;
    }
  }
  return `${lines.join("")}  ${line}`;
}

function footer(io: Io): string {
  const paragraphs = [
    "Target: the server that you have signed in to (login). Others: --server URL, with the key in " +
      "PLATFORM_API_KEY; --db DATABASE or --context NAME on each command; or the variables " +
      "PLATFORM_URL, PLATFORM_DB and PLATFORM_CONTEXT.",
    "Other users of this host can see a password in --db postgres://…; use PGPASSFILE or PGPASSWORD.",
    `Help for one command: ${io.program} help COMMAND`,
  ];
  return `\n${new Help().boxWrap(paragraphs.join("\n"), helpWidth(io))}\n`;
}

function helpWidth({ width = 80 }: Io): number {
  return width;
}
