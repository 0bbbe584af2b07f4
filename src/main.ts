import { basename } from "node:path";
import { runCli } from "./cli/index.ts";
import type { ProgramName } from "./cli/terminal/io.ts";

// Without a listener, this signal opens Node's debugger to every user of the machine. The launcher
// and the packaged program turn the debugger off from their first instruction on.
process.on("SIGUSR1", () => undefined);

const [, , ...words] = process.argv;
const named = words[0]?.startsWith("--program=") ? words.shift()?.slice("--program=".length) : null;
// A packaged binary has no launcher, so the link's name selects the program.
const called = named ?? basename(process.argv0).replace(/\.exe$/, "");
const program: ProgramName = called === "platformctl" ? "platformctl" : "platform";

// If the promise never settles, the exit status is 1. (A packaged program cannot await here.)
process.exitCode = 1;
void runCli(program, words).then((status) => {
  process.exitCode = status;
});
