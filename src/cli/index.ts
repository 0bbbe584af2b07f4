// Runs the command line: answers what needs no parser at once, and loads the parser for the rest.

import { type Io, type ProgramName, processIo } from "./io.ts";
import { programVersion } from "./version.ts";

/** Runs the words of this process. Answers the exit status; never throws. */
export async function runCli(name: ProgramName, words: string[]): Promise<number> {
  ignoreClosedPipes();
  return runWords(processIo(name), words);
}

/** The same in any world. */
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

/** `platformctl … | head`: whoever read has enough, and that is no error. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(0);
      throw error;
    });
  }
}
