// Adds the known names to the error about a missing argument, if they can be found quickly.

import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { NameKind } from "../command.ts";
import { namesAt } from "../completion/index.ts";
import { printableLine } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";

/** More names would scroll the error off the screen. */
const mostNames = 12;

function listOf(kind: NameKind): string | undefined {
  if (kind === "action") return "actions list SERVICE";
  if (kind === "open-approval") return "approvals list --state AWAITING_APPROVAL";
  if (kind === "open-command") return "commands list --status PENDING,RUNNING";
  return kind in nouns ? `${nouns[kind as NounName].group} list` : undefined;
}

/** Returns "" if the argument is not a name on the server. */
export async function listChoices(io: Io, words: string[]): Promise<string> {
  const known = await namesAt(io, words);
  if (!known) return "";
  const { of, names } = known;
  const list = listOf(of);
  const where =
    list === undefined ? "" : `; ${io.program} ${list} shows ${of === "action" ? "them" : "all"}`;
  if (names.length === 0) return where;
  const shown = names.slice(0, mostNames).map(printableLine).join(", ");
  return `; choose from: ${shown}${names.length > mostNames ? `, and more${where}` : ""}`;
}
