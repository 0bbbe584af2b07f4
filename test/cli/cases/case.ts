// The properties of a command in the table of golden.test.ts.

import type { RouteName } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import type { World } from "../world.ts";

export interface Case {
  /** Returns the words after the command's name for one run. */
  words?: (world: World) => Promise<string[]> | string[];
  /** The route whose data the command prints. */
  route: RouteName;
  /**
   * The command that prints the same for the same arguments, so that this one needs no golden file.
   */
  like?: string;
  /** Returns the route's data for the printed data, where the two differ. */
  said?: (printed: Record<string, unknown>) => unknown;
  /** Returns what the API has for the same thing afterwards. Not necessary for lists and `get`. */
  same?: (api: Client, printed: { id: string; command: { id: string } }) => Promise<unknown>;
  stdin?: string;
  /** Set if the command prints only the part of the route's data that `same` returns. */
  printsPart?: true;
  /** The part of the printed data that is compared with `same`, if not all of it. */
  part?: "command";
  /** Labels and columns that differ between runs, in addition to those in golden.ts. */
  varies?: string[];
  /** Set if `-o name` prints a number that differs between runs. */
  measured?: true;
}

export type Cases = Record<string, Case>;
