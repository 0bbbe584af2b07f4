// Ctrl-C while the server was changing something: nobody knows then whether it did, and that is said.

import type { RouteName } from "../../api/index.ts";
import { Interrupted } from "./interrupted.ts";

/** What changes nothing that would have to be looked for. */
const harmless: readonly RouteName[] = [
  "actions.prepare",
  "bus-routes.replay",
  "bus-routes.test",
  "bus-routes.test-draft",
];

/** Where one sees what has become of it, by the first part of the route's name. */
const lists: Record<string, string> = {
  "api-keys": "api-keys list",
  agents: "agents list",
  "bus-events": "events list",
  "bus-routes": "routes list",
  commands: "commands list",
  "registration-tokens": "tokens list",
  users: "users list",
};

/** What is thrown for a call other than GET that was given up with `reason`, after it had been sent. */
export function abandoned(name: RouteName, reason: unknown): unknown {
  if (!(reason instanceof Interrupted) || harmless.includes(name)) return reason;
  const list = lists[name.split(".", 1)[0] ?? ""];
  const look = list === undefined ? "" : `: look at platformctl ${list}`;
  return new Interrupted(`interrupted; whether the server has done it is not known${look}`);
}
