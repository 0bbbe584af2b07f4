// Ctrl-C while the server was changing something: nobody knows then whether it did, and that is said.

import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { RouteName } from "../../api/index.ts";
import { Interrupted } from "./interrupted.ts";

/** What changes nothing that would have to be looked for. */
const harmless: readonly RouteName[] = [
  "actions.prepare",
  "bus-routes.replay",
  "bus-routes.test",
  "bus-routes.test-draft",
];

/** What is thrown for a call other than GET that was given up with `reason`, after it had been sent. */
export function abandoned(name: RouteName, reason: unknown): unknown {
  if (!(reason instanceof Interrupted) || harmless.includes(name)) return reason;
  const noun = nouns[name.split(".", 1)[0] as NounName] as Noun | undefined;
  const look = noun ? `: look at platformctl ${noun.group} list` : "";
  return new Interrupted(`interrupted; whether the server has done it is not known${look}`);
}
