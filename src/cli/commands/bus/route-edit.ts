// `routes edit`, and `routes create` without a file, open a route in the user's editor.

import type { Invocation } from "../../command.ts";
import { editRule } from "../../rules/edit-rule.ts";
import { RuleEditor } from "../../rules/rule-editor.ts";
import { routeKind, templateOf } from "./route-kind.ts";
import { printRoute, printSaved, type Route, type Rule, replaceRoute } from "./saved-route.ts";

export async function draftRoute({ io, options, client }: Invocation): Promise<void> {
  using editor = new RuleEditor(io, routeKind, "use routes create -f FILE");
  const api = await client();
  // Fails before the user writes anything if there is no credential or no event bus.
  await api.call("bus-routes.list", { query: { pageSize: 1 } });
  const template = templateOf((options.state as string | undefined) ?? "DISABLED");
  const saved = await editor.edit(template, true, async ({ rule }) => ({
    done: await api.call("bus-routes.create", { body: rule as unknown as Rule }),
  }));
  printSaved(io, options, saved);
}

export async function editRoute(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const saved = await editRule(invocation, routeKind, {
    replace: (api, { id, version }, rule) => replaceRoute(api, id, rule, version),
    printUnchanged: (route: Route) => printRoute(io, options, route),
  });
  if (saved) printSaved(io, options, saved);
}
