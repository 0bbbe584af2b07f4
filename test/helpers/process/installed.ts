// The programs as tests start them: built once for the whole run and laid out like an installed package,
// because a bundle starts in half the time of the sources. (From source: `bin` of the checkout.)

import { join } from "node:path";
import { inject } from "vitest";

/** The folder of `platform` and `platformctl`. */
export const bin = join(inject("installedProgram"), "bin");

/**
 * With it a program of a test takes the agent library from the package, which starts in a third of the time of
 * the sources: `await import(process.env.AGENT_LIBRARY)`.
 */
export const agentLibrary = { AGENT_LIBRARY: join(bin, "../dist/agent/index.js") };
