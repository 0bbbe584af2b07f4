// The error when Ctrl-C interrupts a change on the server. The outcome of the change is unknown.

import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { RouteName } from "../../api/index.ts";
import { factsOf } from "../../domain/route-facts.ts";
import { Interrupted } from "./interrupted.ts";

/**
 * Returns the error for a call other than GET that was sent and then aborted with `reason`. `name`
 * is missing for `request`, which can call any path.
 */
export function abandoned(reason: unknown, name?: RouteName): unknown {
  if (!(reason instanceof Interrupted) || (name && factsOf(name).changesNothing)) return reason;
  const noun = name && (nouns[name.split(".", 1)[0] as NounName] as Noun | undefined);
  const look = noun ? `: check platformctl ${noun.group} list` : "";
  return new Interrupted(`interrupted; the server may have made the change${look}`);
}
