// The programs that tests start: built once per run and laid out like an installed package, because
// a bundle starts in half the time of the sources. (`bin` of the checkout starts them from source.)

import { join } from "node:path";
import { inject } from "vitest";

/** The folder that contains `platform` and `platformctl`. */
export const bin = join(inject("installedProgram"), "bin");

/**
 * The variable with which a test program imports the agent library from the package, in a third of
 * the time that importing its sources takes: `await import(process.env.AGENT_LIBRARY)`.
 */
export const agentLibrary = { AGENT_LIBRARY: join(bin, "../dist/agent/index.js") };
