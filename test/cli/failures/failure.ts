// What the tables of failures.test.ts say of commands that do not work.

import type { ErrorCode } from "../../../src/domain/errors.ts";
import type { Way, World } from "../world.ts";
import { statuses } from "./statuses.ts";

type Words = string[] | ((world: World) => string[] | Promise<string[]>);

interface Circumstances {
  /** Both when absent. */
  way?: Way;
  env?: Record<string, string> | ((world: World) => Promise<Record<string, string>>);
  stdin?: string;
}

export interface Failure extends Circumstances {
  what: string;
  words: Words;
  status: number;
  code: string;
  says: RegExp;
}

type Row = [what: string, words: string | Words, says: RegExp, more?: Circumstances];

/** By the code of the error. */
export type Failures = Partial<Record<ErrorCode | "USAGE", Row[]>>;

export function listed(failures: Failures): Failure[] {
  return Object.entries(failures).flatMap(([code, rows]) =>
    rows.map(([what, words, says, more]) => ({
      what,
      words: typeof words === "string" ? words.split(" ") : words,
      status: statusOf(code),
      code,
      says,
      ...more,
    })),
  );
}

function statusOf(code: string): number {
  if (code === "USAGE") return 2;
  const found = Object.entries(statuses).find(([, codes]) => codes.includes(code as ErrorCode));
  return Number(found?.[0]);
}

/** A command that did what it was told, and ends with a status that is not 0. */
export interface BadEnd extends Pick<Failure, "what" | "words" | "status"> {
  prints: RegExp;
}

/** A command that was cancelled; answers its id. */
export async function cancelled(world: World): Promise<string> {
  const commandId = await world.execute("sleeper", "snore");
  await world.as("owner").call("commands.cancel", { params: { commandId } });
  return commandId;
}
