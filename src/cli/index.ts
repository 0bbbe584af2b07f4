// Runs the command line: parse, run one command, answer its exit status.

import { CommanderError } from "commander";
import { exit, reportFailure } from "./exit.ts";
import { type ProgramName, processIo } from "./io.ts";
import { buildProgram } from "./program.ts";

/** Answers the exit status; never throws. */
export async function runCli(name: ProgramName, words: string[]): Promise<number> {
  const io = processIo(name);
  ignoreClosedPipes();
  try {
    let status: number = exit.done;
    const program = buildProgram(io, (ended) => {
      status = ended;
    });
    await program.parseAsync(words, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage;
    return reportFailure(io, error, wantsJson(words));
  }
}

/** Errors are JSON for who asked for JSON, also when the words could not be parsed. */
function wantsJson(words: string[]): boolean {
  return words.some(
    (word, index) =>
      /^(-o|--output=)jsonl?$/.test(word) ||
      ((word === "-o" || word === "--output") && /^jsonl?$/.test(words[index + 1] ?? "")),
  );
}

/** `platformctl … | head`: whoever read has enough, and that is no error. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(exit.done);
      throw error;
    });
  }
}
