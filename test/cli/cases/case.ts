// What the table of golden.test.ts knows about a command.

import type { RouteName } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import type { World } from "../world.ts";

export interface Case {
  /** The words after the command's name, for one run of it. */
  words?: (world: World) => Promise<string[]> | string[];
  /** The route whose data it prints. */
  route: RouteName;
  /** It prints the same as this command does for the same arguments, so it needs no golden file. */
  like?: string;
  /** The route's data, made from what is printed, where the two differ. */
  said?: (printed: Record<string, unknown>) => unknown;
  /** What the API returns for the same thing afterwards. Lists and `get` need none. */
  same?: (api: Client, printed: { id: string; command: { id: string } }) => Promise<unknown>;
  stdin?: string;
  /** It prints only a part of the route's data: `same` says which. */
  printsPart?: true;
  /** What `same` is compared with, when that is not all. */
  part?: "command";
  /** Labels and columns that differ between runs, besides those of golden.ts. */
  varies?: string[];
  /** `-o name` prints a number that differs between runs. */
  measured?: true;
}

export type Cases = Record<string, Case>;
