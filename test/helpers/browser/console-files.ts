import { join } from "node:path";
import { bin } from "../process/installed.ts";
import "./browser-place.ts";

/** Contains the index.html of the console that the programs under test serve. */
export const consoleFiles = join(bin, "../dist/console");
