// The options of the palette: recently opened pages, pages of the console, commands, and items that
// the server has found.

import { capitalized } from "../../../lib/capitalized.ts";
import { recentPages } from "../../client/recent-pages.ts";
import { actionPath, addressOf, hasPageOfOne, listAddress } from "../../nouns/addresses.ts";
import { nouns } from "../../nouns/nouns.ts";
import { savedViewPath } from "../../nouns/views/view-address.ts";
import { texts } from "../../texts/index.ts";
import { useNavPages } from "../nav-pages.ts";
import { useCommands } from "./commands.ts";
import type { SearchResult } from "./use-search.ts";

export interface Option {
  key: string;
  /** The options of a group must be adjacent. */
  group: keyof typeof texts.palette.groups;
  title: string;
  about: string | null;
  kind: string | null;
  status: string | null;
  /** Returns the path to open, or null if there is none. */
  choose: () => string | null;
}

const ownOption = { about: null, kind: null, status: null };

/** Returns the pages and commands whose name contains each typed word; all if nothing is typed. */
export function useOwnOptions(typed: string, onHelp: () => void): Option[] {
  const words = typed.toLowerCase().trim().split(/\s+/);
  const pages = [
    ...useNavPages().map(({ path, nav }) => ({ path, title: nav.text })),
    { path: "/account", title: texts.account.title },
  ].map(
    ({ path, title }): Option => ({
      ...ownOption,
      key: `page ${path}`,
      group: "pages",
      title,
      choose: () => path,
    }),
  );
  const commands = useCommands(onHelp).map(
    ({ title, choose }): Option => ({
      ...ownOption,
      key: `command ${title}`,
      group: "commands",
      title,
      choose,
    }),
  );
  // The pages come last, because the navigation shows them as well.
  if (typed.trim() === "") return [...recentOptions(), ...commands, ...pages];
  return [...fitting(pages, words), ...fitting(commands, words)];
}

function fitting(options: readonly Option[], words: readonly string[]): Option[] {
  const begins = ({ title }: Option) => title.toLowerCase().startsWith(words[0] ?? "");
  return options
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
}

function recentOptions(): Option[] {
  return recentPages()
    .filter(({ path }) => path !== location.pathname)
    .map(({ path, title, list }) => ({
      ...ownOption,
      key: `recent ${path}`,
      group: "recent",
      title,
      kind: list,
      choose: () => path,
    }));
}

export function optionOf({ noun, id, title, about, status, action }: SearchResult): Option {
  if (action) {
    return {
      key: `${id} ${action.name}`,
      group: "results",
      title: texts.auditTrail.actionOn({ action: action.label, service: title }),
      about,
      kind: texts.palette.action,
      status: action.dangerLevel === "LOW" ? null : action.dangerLevel,
      choose: () => actionPath(id, action.name),
    };
  }
  return {
    key: id,
    group: "results",
    title,
    about: about === title ? null : about,
    status,
    kind: capitalized(nouns[noun].one),
    choose: () => addressOfOne(noun, id),
  };
}

function addressOfOne(noun: SearchResult["noun"], id: string): string {
  if (noun === "saved-views") return savedViewPath(id);
  if (nouns[noun].access.get === undefined) return listAddress(noun);
  return hasPageOfOne(noun) ? addressOf(noun, id) : `/nouns/${noun}/${id}`;
}
