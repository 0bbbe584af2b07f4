import type { Body } from "../../../api/index.ts";
import type { ViewedList } from "../../../domain/saved-views.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { keyAndValue } from "../../key-and-value.ts";
import { getNamed } from "../../names/resolve.ts";
import { printRow } from "../../nouns/view.ts";
import { viewParameter } from "../../nouns/view-parameters.ts";

type NewView = Body<"saved-views.create">;

export async function createView({ io, args, options, client }: Invocation): Promise<void> {
  if (options.list === undefined) throw usageError("give the list with --list, such as agents.");
  const noun = options.list as NewView["noun"];
  const body: NewView = {
    name: args[0] ?? "",
    noun,
    query: parametersOf(noun, options.set),
    shared: options.shared === true,
  };
  const api = await client();
  printRow(io, options, "saved-views", await api.call("saved-views.create", { body }));
}

export async function updateView({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const before = await getNamed(api, "saved-views", args[0] ?? "");
  const changes = parametersOf(before.noun, options.set);
  const removed = ((options.unset as string[] | undefined) ?? []).map(
    (name) => viewParameter(before.noun, name, "")[0],
  );
  const missing = removed.find((name) => !Object.hasOwn(before.query, name));
  if (missing !== undefined) throw usageError(`the view has no parameter ${missing}.`);
  const query = Object.fromEntries(
    Object.entries({ ...before.query, ...changes }).filter(([name]) => !removed.includes(name)),
  );
  const { noun, shared, version } = before;
  const name = (options.name as string | undefined) ?? before.name;
  const body = { name, noun, shared, version, query };
  const params = { viewId: before.id };
  printRow(io, options, "saved-views", await api.call("saved-views.update", { params, body }));
}

function parametersOf(list: ViewedList, settings: unknown): Record<string, string> {
  const pairs = ((settings as string[] | undefined) ?? []).map((text) => {
    const [name, value] = keyAndValue(text, "give --set PARAMETER=VALUE");
    return viewParameter(list, name, value);
  });
  return Object.fromEntries(pairs);
}
