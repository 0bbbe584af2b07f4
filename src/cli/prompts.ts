// Questions to a person. Never asked when nobody is there: then the flag that answers is named.

import { CliError, exit } from "./exit.ts";
import type { Io } from "./io.ts";

/** Whether to go on. `--yes` (`agreed`) answers it; without a terminal and without it, refuses. */
export async function confirmOrRefuse(io: Io, question: string, agreed: boolean): Promise<void> {
  if (agreed) return;
  refuseWithoutTerminal(io, question);
  if (await agrees(question)) return;
  throw new CliError(exit.conflict, "not confirmed; nothing was done.");
}

/** Asks yes or no. Only where somebody is there (`io.interactive`). */
export async function agrees(question: string, byDefault = false): Promise<boolean> {
  const { confirm } = await import("@inquirer/prompts");
  return confirm({ message: question, default: byDefault }, { output: process.stderr });
}

/** Throws when a question could not be put to anybody. */
export function refuseWithoutTerminal(io: Io, question: string): void {
  if (io.interactive) return;
  throw new CliError(exit.conflict, `${question} Add --yes to confirm: nobody is there to ask.`, {
    code: "CONFIRMATION_REQUIRED",
  });
}
