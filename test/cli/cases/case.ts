// What the table of golden.test.ts knows of a command.

import type { RouteName } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import type { World } from "../world.ts";

export interface Case {
  /** What follows the command's name, for one run of it. */
  words?: (world: World) => Promise<string[]> | string[];
  /** Whose data is printed. */
  route: RouteName;
  /** The route's data in what is printed, where more, or less, is printed than that. */
  said?: (printed: Record<string, unknown>) => unknown;
  /** What the API says of the same thing afterwards; must be equal. */
  same?: (api: Client, printed: { id: string; command: { id: string } }) => Promise<unknown>;
  /** What comes by standard input. */
  stdin?: string;
  /** What is printed is only a part of the route's data: `same` says which. */
  printsPart?: true;
  /** What `same` is compared with, when that is not all. */
  part?: "command";
  /** Labels and columns that differ between runs, besides those of golden.ts. */
  varies?: string[];
  /** `-o name` prints a number that differs between runs. */
  measured?: true;
}

export const getCommand: NonNullable<Case["same"]> = (api, { id }) =>
  api.call("commands.get", { params: { commandId: id } });
export const getAgent: NonNullable<Case["same"]> = (api, { id }) =>
  api.call("agents.get", { params: { agentId: id } });
