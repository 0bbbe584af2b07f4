// Stores in the state folder how far a service's events have been forwarded.

import { join } from "node:path";
import { z } from "zod";
import { type StateFile, stateFile } from "../../state-file.ts";
import { Trouble } from "./forwarding-trouble.ts";

/** A cursor is valid only for its URL. */
const content = z.object({ url: z.string(), cursor: z.string() });
export type Cursor = z.output<typeof content>;

const hint = "it is not a cursor file; remove it to read all events of the service again";

/** All methods throw Trouble CURSOR_UNUSABLE. */
export function cursorFile(stateDir: string, serviceCode: string): StateFile<Cursor> {
  // A code can contain a colon, which some file systems do not allow.
  const file = join(stateDir, `bus-${encodeURIComponent(serviceCode)}.json`);
  const unusable = (reason: string) =>
    new Trouble("CURSOR_UNUSABLE", `${file} cannot be used: ${reason}`);
  return stateFile(file, content, hint, unusable);
}
