// Runs the command line. Loads the parser only when it is needed.

import { type Io, type ProgramName, processIo } from "./terminal/io.ts";
import { outputProblem, watchOutput } from "./terminal/lost-output.ts";
import { programVersion } from "./version.ts";

/** A copy of the exit status in exit.ts, which is loaded only with the parser. */
const failed = 1;

/** Returns the exit status. Never throws. */
export async function runCli(name: ProgramName, words: string[]): Promise<number> {
  watchOutput();
  const io = processIo(name);
  const status = await runWords(io, words);
  const problem = await outputProblem();
  if (problem === null) return status;
  io.note(`${name}: standard output cannot be written: ${problem}.\n`);
  return status || failed;
}

export async function runWords(io: Io, words: string[]): Promise<number> {
  const [first, ...rest] = words;
  if (rest.length === 0 && (first === "--version" || first === "-V")) {
    io.out(`${programVersion(io.env.VERSION)}\n`);
    return 0;
  }
  if (first === "__complete") {
    const { answerCompletion } = await import("./completion/index.ts");
    return answerCompletion(io, rest);
  }
  const { runCommand } = await import("./run.ts");
  return runCommand(io, words);
}
