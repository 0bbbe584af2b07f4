// `routes edit`, and `routes create` without a file, open a route in the user's editor.

import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { isForPeople } from "../../output/output.ts";
import { editRule } from "../../rules/edit-rule.ts";
import { RuleEditor } from "../../rules/rule-editor.ts";
import { routeKind, templateOf } from "./route-kind.ts";
import {
  findRoute,
  printRoute,
  printSaved,
  type Rule,
  replaceRoute,
  ruleOf,
} from "./saved-route.ts";

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

export async function editRoute({ io, args, options, client }: Invocation): Promise<void> {
  const name = args[0] ?? "";
  const instead = `use routes update ${name} -f FILE`;
  const { seen, saved } = await editRule(io, routeKind, instead, async () => {
    const api = await client();
    return {
      find: () => findRoute(api, name),
      get: (routeId) => api.call("bus-routes.get", { params: { routeId } }),
      writtenOf: (route) => ruleOf(route) as unknown as JsonObject,
      replace: ({ id, version }, rule) => replaceRoute(api, id, rule as unknown as Rule, version),
    };
  });
  if (saved) return printSaved(io, options, saved);
  printRoute(io, options, seen);
  if (isForPeople(options)) io.note("\nNothing changed.\n");
}
