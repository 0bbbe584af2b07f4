// `platformctl routes create` without a file: a template in a person's editor, until it can be saved or they
// have enough. What they wrote is never lost: it is opened again, or kept in a file that is named.

import type { Client } from "../../../client/client.ts";
import type { RouteState } from "../../../domain/bus/bus-routes.ts";
import type { Problem } from "../../../lib/json/yaml-source.ts";
import type { Invocation } from "../../command.ts";
import { Edited } from "../../terminal/editor.ts";
import { cancelled, keepingText, parsed } from "./edited-route.ts";
import { isEmptyText, remarksOf, templateOf, withRemarks } from "./route-text.ts";
import { printSaved, type Rule, type SavedRoute } from "./saved-route.ts";

/** Only where somebody is at a terminal. */
export async function draftRoute({ io, options, client }: Invocation): Promise<void> {
  const edited = new Edited(io, "route.yaml", "use routes create -f FILE");
  try {
    const api = await client();
    // Nobody is to write what cannot be saved: without a credential, or where the bus is switched off.
    await api.call("bus-routes.list", { query: { pageSize: 1 } });
    let opened = templateOf((options.state as RouteState | undefined) ?? "DISABLED");
    for (let isAgain = false; ; isAgain = true) {
      const editing = () => edited.edit(opened);
      const { text, isSaved } = await (isAgain ? keepingText(io, edited, editing) : editing());
      if (isEmptyText(text)) throw cancelled("the file was empty");
      if (!isSaved || text === opened) throw leftAlone(isAgain, edited);
      const outcome = await keepingText(io, edited, () => tryCreate(api, text));
      if (!Array.isArray(outcome)) return printSaved(io, options, outcome);
      opened = withRemarks(text, remarksOf(outcome, text));
    }
  } finally {
    edited.close();
  }
}

/** Answers the route, or why it cannot be one. */
async function tryCreate(api: Client, text: string): Promise<SavedRoute | Problem[]> {
  const file = parsed(text);
  if (Array.isArray(file)) return file;
  try {
    return await api.call("bus-routes.create", { body: file.rule as unknown as Rule });
  } catch (error) {
    const problems = file.problemsIn(error);
    if (!problems) throw error;
    return problems;
  }
}

/** As a template it is nothing to keep; as what they had written it is. */
function leftAlone(isAgain: boolean, edited: Edited): Error {
  return isAgain
    ? cancelled("the text was not saved again", edited.keep())
    : cancelled("the template was left as it is");
}
