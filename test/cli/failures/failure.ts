// What the table of failures.test.ts says of a command that does not work.

import type { Way, World } from "../world.ts";

export interface Failure {
  what: string;
  words: string[] | ((world: World) => string[] | Promise<string[]>);
  /** Both when absent. */
  way?: Way;
  env?: Record<string, string> | ((world: World) => Promise<Record<string, string>>);
  stdin?: string;
  status: number;
  code: string;
  says: RegExp;
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
