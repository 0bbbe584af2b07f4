// A route's text on its way through a person's editor: read, kept when something fails, given up.

import type { Problem } from "../../../lib/json/yaml-source.ts";
import { CliError, exit } from "../../exit.ts";
import type { Edited } from "../../terminal/editor.ts";
import type { Io } from "../../terminal/io.ts";
import { BadRouteFile, parseRoute, type RouteFile } from "./route-file.ts";

/** The route in the text, or all that is wrong with it. */
export function parsed(text: string): RouteFile | Problem[] {
  try {
    return parseRoute(text);
  } catch (error) {
    if (error instanceof BadRouteFile) return error.problems;
    throw error;
  }
}

/** Whatever fails now, the person's text stays, and they are told where. */
export async function keepingText<T>(io: Io, edited: Edited, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    io.note(`Your text is in ${edited.keep()}.\n`);
    throw error;
  }
}

/** The error that says so; `file` is where the text is kept, if it is. */
export function cancelled(why: string, file?: string): CliError {
  const where = file === undefined ? "" : ` Your text is in ${file}.`;
  return new CliError(exit.failed, `cancelled: ${why}; nothing was changed.${where}`, {
    code: "CANCELLED",
  });
}
