// The program's entry: tells which of its two names it was called by, and runs the command line.

import { basename } from "node:path";
import { runCli } from "./cli/index.ts";
import type { ProgramName } from "./cli/terminal/io.ts";

// Without a listener Node opens its debugger at this signal, to every user of this machine. The launcher and
// the packaged program switch that off as well, from the very start.
process.on("SIGUSR1", () => undefined);

const [, , ...words] = process.argv;
const named = words[0]?.startsWith("--program=") ? words.shift()?.slice("--program=".length) : null;
// In a packaged binary the launcher is absent: the name of the link tells.
const called = named ?? basename(process.argv0).replace(/\.exe$/, "");
const program: ProgramName = called === "platformctl" ? "platformctl" : "platform";

// Should it never come to an end, that is no success. (A packaged program cannot await here.)
process.exitCode = 1;
void runCli(program, words).then((status) => {
  process.exitCode = status;
});
