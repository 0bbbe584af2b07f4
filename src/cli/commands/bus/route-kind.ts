// A route as users write it in a file or an editor.

import { ruleKind } from "../../rules/rule-kind.ts";
import { headOf } from "../../rules/rule-text.ts";

export const routeKind = ruleKind("BusRoute", {
  noun: "bus-routes",
  one: "route",
  a: "a route",
  kept: ["state"],
  explanation: `\
  name, description  for people; the description is optional
  state              DISABLED, DRY_RUN (matches are recorded, nothing runs) or ENABLED
  match.type         the type of the events: exact, or order.* for types that begin with order.
  match.source       only events about this service; optional
  match.data         only events with these values in their data, such as  /level: error
                     JSON Pointers into the event's data; optional
  target             the service, and its action to run
  payload            each field's JSON Pointer into the event, such as  file: /data/file
                     or a constant:  lines: { const: 10 }
                     by default the payload is the whole event: { event: … }
  [REDACTED]         keeps the secret constant that you have stored in this place`,
});

export function templateOf(state: string): string {
  return `${headOf(routeKind, "A new route.")}

name:
state: ${state}
match:
  type:
  # source: log-collector
  # data:
  #   /level: error
target:
  serviceCode:
  action:
# payload:
#   file: /data/file
#   lines: { const: 10 }
`;
}
