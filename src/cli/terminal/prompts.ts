// Asks questions on stderr. Ctrl-C and Ctrl-D at a question throw Interrupted.

import { styleText } from "node:util";
import { CliError, exit, usageError } from "../exit.ts";
import { printableLine, printableText } from "../output/printable.ts";
import { Interrupted } from "./interrupted.ts";
import type { Io } from "./io.ts";

/** Asks unless `agreed` (`--yes`). Throws if the answer is no, or if nobody can answer. */
export async function confirmOrRefuse(io: Io, question: string, agreed: boolean): Promise<void> {
  if (agreed) return;
  refuseUnanswerable(io, question);
  if (await askYesNo(question)) return;
  throw new CliError(exit.conflict, "not confirmed; nothing was done.", { code: "NOT_CONFIRMED" });
}

/** Requires `canAsk(io)`, like all questions below. */
export async function askYesNo(question: string, byDefault = false): Promise<boolean> {
  const message = await wrapped(printableText(question));
  return atTerminal(({ confirm }, context) => confirm({ message, default: byDefault }, context));
}

/** The library would break lines within words. It adds a marker and `(y/N)`. */
async function wrapped(question: string): Promise<string> {
  const { wrapLines } = await import("../output/text-width.ts");
  const { columns } = process.stderr;
  return wrapLines(question, columns && Math.max(20, columns - "?  (y/N)".length));
}

type Asking = Pick<Io, "interactive" | "hasReadStdin">;

/** Whether somebody can answer: there is a terminal, and stdin has not been read. */
export function canAsk({ interactive, hasReadStdin }: Asking): boolean {
  return interactive && !hasReadStdin;
}

/** Throws if nobody can answer the question. */
export function refuseUnanswerable(io: Asking, question: string): void {
  if (canAsk(io)) return;
  const message = `${question} Add --yes to confirm: ${whyNobody(io)}.`;
  throw new CliError(exit.conflict, message, { code: "CONFIRMATION_REQUIRED" });
}

export function requireSomebody(io: Asking, flag: string): void {
  if (!canAsk(io)) throw usageError(`give ${flag}: ${whyNobody(io)}.`);
}

function whyNobody({ hasReadStdin }: Asking): string {
  return hasReadStdin ? "standard input is used for other input" : "there is no terminal to ask";
}

interface TextQuestion {
  message: string;
  problemOf: (text: string) => string | null;
}

/** Enter accepts the suggestion. Tab makes the suggestion editable; Backspace removes it. */
export function askText(question: TextQuestion & { suggestion?: string | undefined }) {
  const { problemOf, suggestion = "" } = question;
  const validate = (text: string) => validity(problemOf(text));
  const message = printableText(question.message);
  return atTerminal(({ input }, context) =>
    input({ message, validate, default: suggestion }, context),
  );
}

/** Never shows what is typed, not even its length. */
export async function askHidden({ message, problemOf }: TextQuestion): Promise<string> {
  const config = { message: printableText(message), mask: false, toggleMask: false };
  let theme = {};
  while (true) {
    const typed = await atTerminal(({ password }, context) =>
      password({ ...config, theme }, context),
    );
    const problem = problemOf(typed);
    if (problem === null) return typed;
    // The problem is part of the next prompt, because text typed between prompts would be visible.
    theme = { prefix: { idle: `${styleText("red", `> ${printableText(problem)}`)}\n${asks}` } };
  }
}

export function askChoice<T>(question: {
  message: string;
  choices: { name: string; value: T }[];
  chosen?: T | undefined;
}): Promise<T> {
  const { chosen } = question;
  const suggestion = chosen === undefined ? {} : { default: chosen };
  return atTerminal(({ select }, context) =>
    select({ ...listOf(question), ...suggestion }, context),
  );
}

export function askChoices<T>(question: {
  message: string;
  choices: { name: string; value: T; checked: boolean }[];
  problemOf: (values: readonly T[]) => string | null;
}): Promise<T[]> {
  const validate = (chosen: readonly { value: T }[]) =>
    validity(question.problemOf(chosen.map(({ value }) => value)));
  return atTerminal(({ checkbox }, context) =>
    checkbox({ ...listOf(question), validate }, context),
  );
}

/** Texts from agents may contain characters that control the terminal. */
function listOf<C extends { name: string }>(question: { message: string; choices: C[] }) {
  const choices = question.choices.map((one) => ({ ...one, name: printableLine(one.name) }));
  return { message: printableText(question.message), choices, loop: false, pageSize: 10 };
}

function validity(problem: string | null): string | true {
  return problem === null ? true : printableText(problem);
}

/** The library's marker in front of a question. */
const asks = styleText("blue", "?");

type Prompts = Pick<
  typeof import("@inquirer/prompts"),
  "checkbox" | "confirm" | "input" | "password" | "select"
>;
type Context = { output: NodeJS.WritableStream; signal: AbortSignal };

/** Rejects with Interrupted if the user cancels. */
async function atTerminal<T>(
  prompt: (prompts: Prompts, context: Context) => Promise<T>,
): Promise<T> {
  // Only the prompts named here get into the bundle. The editor prompt would add large tables.
  const { checkbox, confirm, input, password, select } = await import("@inquirer/prompts");
  const prompts = { checkbox, confirm, input, password, select };
  const gone = new AbortController();
  // On Ctrl-D, or when the terminal disappears, the prompt stops reading and would never finish.
  const giveUp = () => gone.abort();
  const { stdin } = process;
  stdin.once("pause", giveUp);
  stdin.once("end", giveUp);
  try {
    return await prompt(prompts, { output: process.stderr, signal: gone.signal });
  } catch (error) {
    const { name } = error as Error;
    const left = name === "ExitPromptError" || name === "AbortPromptError";
    throw left ? new Interrupted() : error;
  } finally {
    stdin.off("pause", giveUp);
    stdin.off("end", giveUp);
  }
}
