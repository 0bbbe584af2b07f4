// The built console that the programs under test serve.

import { join } from "node:path";
import { bin } from "../process/installed.ts";

/** The folder that contains the console's index.html. */
export const consoleFiles = join(bin, "../dist/console");
