import type { RouteName } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import type { World } from "../world.ts";

/** A command in the table of golden.test.ts. */
export interface Case {
  /** Returns the words after the command's name for one run. */
  words?: (world: World) => Promise<string[]> | string[];
  /** The route whose data the command prints. */
  route: RouteName;
  /** The command and its words change nothing, so it shares a world with others like it. */
  reads?: true;
  /** The command changes nothing, so all its runs use the words of the first run. */
  once?: true;
  /** Another command, with a golden file, that prints the same for the same arguments. */
  like?: string;
  /** `-o wide` and `-o name` are left out, because another case tests the code for them. */
  onlyTable?: true;
  /** Converts the printed data to the route's data, if they differ. */
  said?: (printed: Record<string, unknown>) => unknown;
  /** Returns the API's data for the printed object. Lists and `get` commands do not need it. */
  same?: (api: Client, printed: { id: string; command: { id: string } }) => Promise<unknown>;
  stdin?: string;
  /** The command prints only the part of the route's data that `same` returns. */
  printsPart?: true;
  /** The part of the printed data that is compared with `same`, if not all of it. */
  part?: "command";
  /** Labels and columns, besides those in golden.ts, that differ between runs. */
  varies?: string[];
  /** The tables differ on PostgreSQL, where those in golden/postgresql are used. */
  byEngine?: true;
  /** `-o name` prints a number that differs between runs. */
  measured?: true;
}

export type Cases = Record<string, Case>;

const counts = new WeakMap<World, number>();

/** Returns another number each time, for the names of what the runs of a case create. */
export function nextNumber(world: World): number {
  const number = (counts.get(world) ?? 0) + 1;
  counts.set(world, number);
  return number;
}
