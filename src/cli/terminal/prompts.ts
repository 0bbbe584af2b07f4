// Questions to a person, on stderr. Never asked when nobody is there: then the flag that answers is named.
// Ctrl-C and Ctrl-D at a question end the program as Interrupted.

import { styleText } from "node:util";
import { CliError, exit, usageError } from "../exit.ts";
import { printableLine, printableText } from "../output/printable.ts";
import { Interrupted } from "./interrupted.ts";
import type { Io } from "./io.ts";

/** Whether to go on. `--yes` (`agreed`) answers it; without a terminal and without it, refuses. */
export async function confirmOrRefuse(io: Io, question: string, agreed: boolean): Promise<void> {
  if (agreed) return;
  refuseWithoutTerminal(io, question);
  if (await askYesNo(question)) return;
  throw new CliError(exit.conflict, "not confirmed; nothing was done.", { code: "NOT_CONFIRMED" });
}

/** Asks yes or no. Only where somebody is there (`io.interactive`). */
export function askYesNo(question: string, byDefault = false): Promise<boolean> {
  return atTerminal(({ confirm }, context) =>
    confirm({ message: printableText(question), default: byDefault }, context),
  );
}

/** Throws when a question could not be put to anybody. */
export function refuseWithoutTerminal(
  io: Pick<Io, "interactive">,
  question: string,
  why = "nobody is there to ask",
): void {
  if (io.interactive) return;
  throw new CliError(exit.conflict, `${question} Add --yes to confirm: ${why}.`, {
    code: "CONFIRMATION_REQUIRED",
  });
}

/** Throws a usage error that names what else gives the answer when nobody is there to ask. */
export function requireSomebody({ interactive }: Pick<Io, "interactive">, flag: string): void {
  if (!interactive) throw usageError(`give ${flag}: nobody is there to ask.`);
}

export interface TextQuestion {
  message: string;
  /** Taken when nothing is typed; Tab brings it up to be changed, Backspace takes it away. */
  suggestion?: string | undefined;
  /** What is wrong with it, or null. */
  problemOf: (text: string) => string | null;
}

export interface ChoiceQuestion<T> {
  message: string;
  choices: { name: string; value: T }[];
  /** One of the choices' values. */
  chosen?: T | undefined;
}

export interface ChoicesQuestion<T> {
  message: string;
  choices: { name: string; value: T; checked: boolean }[];
  problemOf: (values: readonly T[]) => string | null;
}

export function askText({ suggestion = "", ...question }: TextQuestion): Promise<string> {
  return atTerminal(({ input }, context) =>
    input({ ...shown(question), default: suggestion }, context),
  );
}

/**
 * What is typed is not shown, by no key, not even how long it is. What will not do is forgotten, and asked
 * for anew: nobody could see what is still there. What is wrong stands in the new question: between two
 * questions the terminal shows what is typed, and nobody is to be invited then.
 */
export async function askHidden({ message, problemOf }: TextQuestion): Promise<string> {
  const config = { message: printableText(message), mask: false, toggleMask: false };
  let theme = {};
  while (true) {
    const typed = await atTerminal(({ password }, context) =>
      password({ ...config, theme }, context),
    );
    const problem = problemOf(typed);
    if (problem === null) return typed;
    theme = { prefix: { idle: `${styleText("red", `> ${printableText(problem)}`)}\n${asks}` } };
  }
}

export function askChoice<T>({ message, choices, chosen }: ChoiceQuestion<T>): Promise<T> {
  const suggestion = chosen === undefined ? {} : { default: chosen };
  const list = { message: printableText(message), choices: choices.map(shownChoice) };
  return atTerminal(({ select }, context) =>
    select({ ...list, ...suggestion, loop: false, pageSize }, context),
  );
}

export function askChoices<T>(question: ChoicesQuestion<T>): Promise<T[]> {
  const { message, choices, problemOf } = question;
  const validate = (chosen: readonly { value: T }[]) =>
    validity(problemOf(chosen.map(({ value }) => value)));
  const list = { message: printableText(message), choices: choices.map(shownChoice), validate };
  return atTerminal(({ checkbox }, context) =>
    checkbox({ ...list, loop: false, pageSize }, context),
  );
}

/** Names of things, and words of an agent's schema, may hold what would steer the terminal. */
function shown({ message, problemOf }: TextQuestion) {
  const validate = (text: string) => validity(problemOf(text));
  return { message: printableText(message), validate };
}

function shownChoice<C extends { name: string }>(choice: C): C {
  return { ...choice, name: printableLine(choice.name) };
}

function validity(problem: string | null): string | true {
  return problem === null ? true : printableText(problem);
}

/** How the library marks a question. */
const asks = styleText("blue", "?");

/** Choices that are shown at once. */
const pageSize = 10;

type Prompts = typeof import("@inquirer/prompts");
type Context = { output: NodeJS.WritableStream; signal: AbortSignal };

/** Puts a question. Rejects with Interrupted when the person leaves, and with the reason of `signal`. */
export async function atTerminal<T>(
  prompt: (prompts: Prompts, context: Context) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const prompts = await import("@inquirer/prompts");
  const gone = new AbortController();
  // At Ctrl-D, or when the terminal goes away, the prompt stops reading and would never end.
  const giveUp = () => gone.abort();
  const { stdin } = process;
  stdin.once("pause", giveUp);
  stdin.once("end", giveUp);
  try {
    const context = { output: process.stderr, signal: AbortSignal.any([gone.signal, signal]) };
    return await prompt(prompts, context);
  } catch (error) {
    signal.throwIfAborted();
    const { name } = error as Error;
    const left = name === "ExitPromptError" || name === "AbortPromptError";
    throw left ? new Interrupted() : error;
  } finally {
    stdin.off("pause", giveUp);
    stdin.off("end", giveUp);
  }
}
