// Finds what can be completed at the cursor, from the table of commands alone.

import {
  type ArgumentSpec,
  type CommandSpec,
  type LocalKind,
  localKinds,
  type NameKind,
  type OptionSpec,
} from "../command.ts";
import { allCommands, commandsThatBeginWith, groupSummaries } from "../commands/index.ts";
import { fieldNamed } from "../nouns/words.ts";
import { optionsOf } from "../options.ts";

export interface Candidate {
  value: string;
  description?: string;
}

/** The candidates that can replace `typed`, which follows `kept` in the same word. */
export type Spot = { kept: string; typed: string } & (
  | { wants: "words"; words: Candidate[] }
  | { wants: "names"; of: NameKind; given: Given }
  | { wants: "context" }
  | { wants: LocalKind }
  | { wants: "file" }
);

/** The arguments and options that the line already has. */
export interface Given {
  /** `agents list` */
  command: string;
  args: string[];
  /** The keys are the parser's option names, such as `caFile`. */
  options: Record<string, unknown>;
}

/** `words` are complete, without the program's name. `typed` is the word at the cursor. */
export async function spotOf(words: string[], typed: string): Promise<Spot> {
  const helped = words[0] === "help";
  const path = helped ? words.slice(1) : words;
  const [first] = path;
  const commands = await (first === undefined ? allCommands() : commandsThatBeginWith(first));
  const spec = commands.find(({ name }) => `${path.join(" ")} `.startsWith(`${name} `));
  if (!spec) {
    return { wants: "words", words: wordsAfter(path, commands, helped, typed), kept: "", typed };
  }
  if (helped) return nothing(typed);
  return spotInCommand(spec, path.slice(spec.name.split(" ").length), typed);
}

function wordsAfter(
  path: string[],
  commands: readonly CommandSpec[],
  helped: boolean,
  typed: string,
): Candidate[] {
  const inside = path.map((word) => `${word} `).join("");
  if (typed.startsWith("-")) return path.length === 0 && !helped ? programFlags : [helpFlag];
  const found = new Map<string, string>();
  for (const { name, summary, hidden } of commands) {
    if (hidden || !name.startsWith(inside)) continue;
    const word = name.slice(inside.length).split(" ", 1)[0] ?? "";
    const isGroup = `${inside}${word}` !== name;
    found.set(word, (isGroup ? groupSummaries[word] : undefined) ?? summary);
  }
  if (path.length === 0 && !helped) found.set("help", "Show the help of a command");
  return [...found].map(([value, description]) => ({ value, description }));
}

const helpFlag: Candidate = { value: "--help", description: "Show the help" };
const programFlags: Candidate[] = [
  helpFlag,
  { value: "--version", description: "Show the version" },
];

function spotInCommand(spec: CommandSpec, words: string[], typed: string): Spot {
  const options = optionsOf(spec);
  const given: Given = { command: spec.name, args: [], options: {} };
  const seen = new Set<OptionSpec>();
  let open: OptionSpec | null = null;
  let flagsEnded = false;
  for (const word of words) {
    if (open) {
      given.options[keyOf(open)] = word;
      open = null;
    } else if (word === "--" && !flagsEnded) {
      flagsEnded = true;
    } else if (word.startsWith("-") && word !== "-" && !flagsEnded) {
      const [name, value] = splitFlag(word);
      const option = optionNamed(options, name);
      if (!option) continue;
      seen.add(option);
      if (!takesValue(option)) given.options[keyOf(option)] = true;
      else if (value === null) open = option;
      else given.options[keyOf(option)] = value;
    } else {
      given.args.push(word);
    }
  }
  if (open) return spotOfValue(open, given, "", typed);
  if (!flagsEnded && typed.startsWith("-") && typed !== "-") {
    const [name, value] = splitFlag(typed);
    const option = optionNamed(options, name);
    if (option && value !== null) return spotOfValue(option, given, `${name}=`, value);
    return flagsOf(options, seen, typed);
  }
  const argument = argumentAt(spec, given.args.length);
  if (argument) return spotOfValue(argument, given, "", typed);
  return flagsEnded || spec.args?.length ? nothing(typed) : flagsOf(options, seen, typed);
}

function argumentAt({ args = [] }: CommandSpec, place: number): ArgumentSpec | undefined {
  const last = args.at(-1);
  return args[place] ?? (last?.name.includes("...") ? last : undefined);
}

function spotOfValue(
  { choices, completes }: Pick<OptionSpec, "choices" | "completes">,
  given: Given,
  kept: string,
  typed: string,
): Spot {
  const offered = choices ?? completes;
  if (typeof offered === "object") {
    return { wants: "words", words: offered.map((value) => ({ value })), kept, typed };
  }
  if (offered === undefined) return nothing(typed);
  if (offered === "timezone") return { wants: "words", words: timezones(), kept, typed };
  if (offered === "context" || offered === "file" || isLocal(offered)) {
    return { wants: offered, kept, typed };
  }
  if (offered === "@file") {
    if (!typed.startsWith("@")) return nothing(typed);
    return { wants: "file", kept: `${kept}@`, typed: typed.slice(1) };
  }
  return { wants: "names", of: offered, given, kept, typed };
}

function isLocal(kind: string): kind is LocalKind {
  return (localKinds as readonly string[]).includes(kind);
}

function timezones(): Candidate[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")].map((value) => ({ value }));
}

function flagsOf(options: OptionSpec[], seen: Set<OptionSpec>, typed: string): Spot {
  const isRepeatable = ({ kind }: OptionSpec) => kind === "repeat" || kind === "several";
  const free = options.filter((option) => isRepeatable(option) || !seen.has(option));
  const words = free.map(({ flags, summary }) => ({
    value: namesOf(flags).at(-1) ?? flags,
    description: summary,
  }));
  return { wants: "words", words: [...words, helpFlag], kept: "", typed };
}

function nothing(typed: string): Spot {
  return { wants: "words", words: [], kept: "", typed };
}

function splitFlag(word: string): [name: string, value: string | null] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word, null] : [word.slice(0, equals), word.slice(equals + 1)];
}

function optionNamed(options: OptionSpec[], name: string): OptionSpec | undefined {
  return options.find(({ flags }) => namesOf(flags).includes(name));
}

/** Returns `-o` and `--output` for `-o, --output <format>`. */
function namesOf(flags: string): string[] {
  return flags.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

function takesValue({ flags }: OptionSpec): boolean {
  return /[<[]/.test(flags);
}

function keyOf({ flags }: OptionSpec): string {
  return fieldNamed(namesOf(flags).at(-1) ?? "");
}
