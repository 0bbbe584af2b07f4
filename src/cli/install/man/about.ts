// What a page says of the program that it comes with.

import type { CommandTable } from "../../command.ts";
import { title } from "./roff.ts";

export interface About {
  version: string;
  /** When it was built (ISO 8601); undefined when nobody knows. */
  buildTime: string | undefined;
  table: CommandTable;
}

/** The head of the page with this name. */
export function heading(page: string, { version, buildTime }: About, chapter?: 1 | 5): string {
  return title(page, buildTime?.slice(0, 10) ?? "", `platform ${version}`, chapter);
}
