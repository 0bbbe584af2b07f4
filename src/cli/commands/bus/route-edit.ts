// `routes edit`, and `routes create` without a file, open a route in the user's editor.

import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { isForPeople } from "../../output/output.ts";
import { printableText } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { askYesNo } from "../../terminal/prompts.ts";
import { RouteEditor } from "./route-editor.ts";
import { differences, merged, templateOf, textOf } from "./route-text.ts";
import {
  findRoute,
  isConflict,
  printRoute,
  printSaved,
  type Route,
  type Rule,
  replaceRoute,
  ruleOf,
  type SavedRoute,
} from "./saved-route.ts";

export async function draftRoute({ io, options, client }: Invocation): Promise<void> {
  using editor = new RouteEditor(io, "use routes create -f FILE");
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
  using editor = new RouteEditor(io, `use routes update ${name} -f FILE`);
  const api = await client();
  let seen = await findRoute(api, name);
  const saved = await editor.edit<SavedRoute | null>(textOfRoute(seen), false, async (file) => {
    // As with `routes update`, the route keeps its state if the text has none.
    const wanted = { state: seen.state, ...file.rule };
    const before = rule(seen);
    if (isDeepStrictEqual(wanted, before)) return { done: null };
    try {
      const body = wanted as unknown as Rule;
      return { done: await replaceRoute(api, seen.id, body, seen.version) };
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    seen = await api.call("bus-routes.get", { params: { routeId: seen.id } });
    const changes = differences(before, rule(seen));
    await offerAgain(io, editor, seen, changes);
    const title = "Changed in the meantime:";
    const mine = merged(before, wanted, rule(seen));
    return { reopen: textOf(mine, titleOf(seen), [title, ...changes]) };
  });
  if (saved) return printSaved(io, options, saved);
  printRoute(io, options, seen);
  if (isForPeople(options)) io.note("\nNothing changed.\n");
}

/** Reports the changes by others. Throws unless the user chooses to edit the new version. */
async function offerAgain(
  io: Io,
  editor: RouteEditor,
  newest: Route,
  changes: string[],
): Promise<void> {
  const lines = changes.map((change) => `  ${printableText(change)}\n`).join("");
  const what = `${newest.name} was changed in the meantime, and now has version ${newest.version}`;
  io.note(`${printableText(what)}:\n${lines}`);
  if (io.interactive && (await askYesNo("Edit again, starting from the new version?", true)))
    return;
  const file = editor.keep();
  throw new CliError(exit.conflict, `${what}; nothing was saved. Your text is in ${file}.`, {
    code: "VERSION_CONFLICT",
    details: { currentVersion: newest.version, file },
  });
}

function textOfRoute(route: Route): string {
  return textOf(ruleOf(route), titleOf(route));
}

function titleOf({ name, id, version }: Route): string {
  return `Route ${JSON.stringify(name)}, ${id}, version ${version}.`;
}

function rule(route: Route): JsonObject {
  return ruleOf(route) as unknown as JsonObject;
}
