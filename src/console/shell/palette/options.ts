// The options of the palette: pages of the console, and items that the server has found.

import { call } from "../../client/call.ts";
import { actionPath, addressOf, hasPageOfOne, listAddress } from "../../nouns/addresses.ts";
import { capitalized, nouns } from "../../nouns/nouns.ts";
import { viewAddress } from "../../nouns/views/view-address.ts";
import { texts } from "../../texts/index.ts";
import { useNavPages } from "../nav-pages.ts";
import type { SearchResult } from "./use-search.ts";

export interface Option {
  key: string;
  title: string;
  about: string | null;
  kind: string;
  status: string | null;
  isPage: boolean;
  /** The path to open, which may have to be read first. */
  address: () => string | Promise<string>;
}

/** Without a text, all pages; otherwise those whose name contains each word. */
export function usePageOptions(typed: string): Option[] {
  const words = typed.toLowerCase().trim().split(/\s+/);
  const all = [
    ...useNavPages().map(({ path, nav }) => ({ path, text: nav.text })),
    { path: "/account", text: texts.account.title },
  ];
  const fitting = all.filter(({ text }) =>
    words.every((word) => text.toLowerCase().includes(word)),
  );
  const begins = ({ text }: { text: string }) => text.toLowerCase().startsWith(words[0] ?? "");
  return fitting
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)))
    .map(({ path, text }) => ({
      key: `page ${path}`,
      title: text,
      about: null,
      kind: texts.palette.kinds.page,
      status: null,
      isPage: true,
      address: () => path,
    }));
}

export function optionOf({ noun, id, title, about, status, action }: SearchResult): Option {
  if (action) {
    return {
      key: `${id} ${action.name}`,
      title: texts.auditTrail.actionOn({ action: action.label, service: title }),
      about,
      kind: texts.palette.kinds.action,
      status: action.dangerLevel === "LOW" ? null : action.dangerLevel,
      isPage: false,
      address: () => actionPath(id, action.name),
    };
  }
  return {
    key: id,
    title,
    about: about === title ? null : about,
    status,
    isPage: false,
    kind: capitalized(nouns[noun].one),
    address: () => addressOfOne(noun, id),
  };
}

function addressOfOne(noun: SearchResult["noun"], id: string): string | Promise<string> {
  if (noun === "saved-views") {
    const view = call("saved-views.get", { params: { viewId: id } });
    return view.then(viewAddress, () => listAddress(noun));
  }
  if (nouns[noun].access.get === undefined) return listAddress(noun);
  return hasPageOfOne(noun) ? addressOf(noun, id) : `/nouns/${noun}/${id}`;
}
