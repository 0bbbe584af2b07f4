// The built console as the programs of the tests have it.

import { join } from "node:path";
import { bin } from "../process/installed.ts";

/** The folder with its index.html. */
export const consoleFiles = join(bin, "../dist/console");
