// `platformctl routes edit`: the route in a person's editor, until it can be saved or they have enough.
// What they wrote is never lost: it is opened again, or kept in a file that is named.

import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Problem } from "../../../lib/json/yaml-source.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { isForPeople, type OutputOptions } from "../../output/output.ts";
import { printableText } from "../../output/printable.ts";
import { Edited } from "../../terminal/editor.ts";
import type { Io } from "../../terminal/io.ts";
import { askYesNo } from "../../terminal/prompts.ts";
import { cancelled, keepingText, parsed } from "./edited-route.ts";
import { fileError } from "./route-file.ts";
import { differences, isEmptyText, merged, remarksOf, textOf, withRemarks } from "./route-text.ts";
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

export async function editRoute(invocation: Invocation): Promise<void> {
  const { io, args, options, client } = invocation;
  const name = args[0] ?? "";
  const edited = new Edited(io, "route.yaml", `use routes update ${name} -f FILE`);
  try {
    const api = await client();
    const route = await findRoute(api, name);
    const outcome = await editUntilSaved(io, api, edited, route);
    if (outcome.kind === "saved") return printSaved(io, options, outcome.route);
    printRoute(io, options, outcome.route);
    if (isForPeople(options as OutputOptions)) io.note("\nNothing changed.\n");
  } finally {
    edited.close();
  }
}

/** Answers the route as it is in the end. */
async function editUntilSaved(io: Io, api: Client, edited: Edited, route: Route): Promise<End> {
  let seen = route;
  let opened = textOf(ruleOf(seen), titleOf(seen));
  for (let isAgain = false; ; isAgain = true) {
    const editing = () => edited.edit(opened);
    // An editor that fails at once says: never mind. From then on there is something to lose.
    const { text, isSaved } = await (isAgain ? keepingText(io, edited, editing) : editing());
    if (isEmptyText(text)) throw cancelled("the file was empty");
    // What they had written is in it already: leaving it alone does not mean to save it.
    if (isAgain && !isSaved) throw cancelled("the text was not saved again", edited.keep());
    const outcome = await keepingText(io, edited, () => trySave(api, seen, text));
    if (outcome.kind === "same" || outcome.kind === "saved") return outcome;
    if (outcome.kind === "bad") {
      if (!io.interactive || text === opened) throw kept(edited, outcome.problems);
      opened = withRemarks(text, remarksOf(outcome.problems, text));
      continue;
    }
    const { newest, changes } = await keepingText(io, edited, () => whatChanged(api, seen));
    await offerAgain(io, edited, newest, changes);
    const mine = merged(rule(seen), outcome.rule, rule(newest));
    opened = textOf(mine, titleOf(newest), ["Meanwhile changed by somebody else:", ...changes]);
    seen = newest;
  }
}

type End = { kind: "same"; route: Route } | { kind: "saved"; route: SavedRoute };
type Outcome = End | { kind: "bad"; problems: Problem[] } | { kind: "conflict"; rule: JsonObject };

async function trySave(api: Client, seen: Route, text: string): Promise<Outcome> {
  const file = parsed(text);
  if (Array.isArray(file)) return { kind: "bad", problems: file };
  // As with `routes update`: what says nothing of the state leaves it.
  const wanted = { state: seen.state, ...file.rule };
  if (isDeepStrictEqual(wanted, rule(seen))) return { kind: "same", route: seen };
  try {
    const saved = await replaceRoute(api, seen.id, wanted as unknown as Rule, seen.version);
    return { kind: "saved", route: saved };
  } catch (error) {
    if (isConflict(error)) return { kind: "conflict", rule: wanted };
    const problems = file.problemsIn(error);
    if (!problems) throw error;
    return { kind: "bad", problems };
  }
}

async function whatChanged(
  api: Client,
  seen: Route,
): Promise<{ newest: Route; changes: string[] }> {
  const newest = await api.call("bus-routes.get", { params: { routeId: seen.id } });
  return { newest, changes: differences(rule(seen), rule(newest)) };
}

/** Says what has changed meanwhile; throws when nobody wants to go on from there. */
async function offerAgain(io: Io, edited: Edited, newest: Route, changes: string[]): Promise<void> {
  const told = changes.map((change) => `  ${printableText(change)}\n`).join("");
  const what = `${newest.name} was changed meanwhile, and is in version ${newest.version} now`;
  io.note(`${printableText(what)}:\n${told}`);
  const again = () => askYesNo("Edit again, on top of that?", true);
  if (io.interactive && (await keepingText(io, edited, again))) return;
  const where = edited.keep();
  throw new CliError(exit.conflict, `${what}; nothing was saved. Your text is in ${where}.`, {
    code: "VERSION_CONFLICT",
    details: { currentVersion: newest.version, file: where },
  });
}

/** Nobody is there, or they have left it as it was: it will not get better. */
function kept(edited: Edited, problems: Problem[]): Error {
  const { message } = fileError(edited.keep(), problems);
  return new CliError(exit.usage, `the route cannot be saved; your text is kept.\n  ${message}`);
}

function titleOf({ name, id, version }: Route): string {
  return `Route ${JSON.stringify(name)}, ${id}, version ${version}.`;
}

function rule(route: Route): JsonObject {
  return ruleOf(route) as unknown as JsonObject;
}
