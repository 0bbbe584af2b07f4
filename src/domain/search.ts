// The search over everything that has a page in the console: the order of its results, and how it
// interprets the text that was typed.

/** The nouns with the prefixes of their ids. Equally good results are in this order. */
export const idPrefixes = {
  services: "svc",
  agents: "agt",
  commands: "cmd",
  rollouts: "rol",
  schedules: "sch",
  approvals: "apr",
  "bus-routes": "brt",
  "bus-events": "bev",
  "registration-tokens": "rtk",
  "saved-views": "vew",
  "approval-policies": "pol",
  nodes: "nod",
  users: "usr",
  "api-keys": "key",
} as const;
export type SearchedNounName = keyof typeof idPrefixes;
export const searchedNounNames = Object.keys(idPrefixes) as SearchedNounName[];

/** How well a result matches the search. Lower is better. */
export const fit = { exact: 0, code: 1, name: 2, part: 3, words: 4 } as const;

/** The maximum number of words. All words after the third make up the fourth one. */
export const mostSearchWords = 4;

/** Returns the words of a search. Each of them must occur in a result. */
export function searchWords(text: string): string[] {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (words.length <= mostSearchWords) return words;
  const last = words.slice(mostSearchWords - 1).join(" ");
  return [...words.slice(0, mostSearchWords - 1), last];
}

/**
 * Without the id's prefix, at least six characters are needed, because fewer would match too much.
 */
const idPattern = /^(?:([a-z]{3})_[0-7][0-9a-z]{0,25}|[0-7][0-9a-z]{5,25})$/i;

/**
 * Returns the beginnings of ids that a text can mean, with their nouns: `cmd_01k…` can only be a
 * command, while `01k…` can be anything.
 */
export function idsMeant(text: string): { noun: SearchedNounName; id: string }[] {
  const [whole, prefix] = idPattern.exec(text.trim()) ?? [];
  if (whole === undefined) return [];
  const rest = whole.slice(whole.indexOf("_") + 1);
  return searchedNounNames.flatMap((noun) => {
    const own = idPrefixes[noun];
    if (prefix !== undefined && prefix.toLowerCase() !== own) return [];
    return [{ noun, id: `${own}_${rest.toUpperCase()}` }];
  });
}

/** Some of the words name an action, and the others a service: `restart web-3`. */
interface ActionSearch {
  action: string[];
  service: string[];
}

export function actionSearches(words: readonly string[]): ActionSearch[] {
  const found: ActionSearch[] = [];
  for (let count = 1; count < words.length; count++) {
    found.push({ action: words.slice(0, count), service: words.slice(count) });
    found.push({ action: words.slice(-count), service: words.slice(0, -count) });
  }
  return found;
}

/** Returns how well an action's name matches the words, or null if it does not. */
export function fitOfName(name: string, words: readonly string[]): number | null {
  const [lower, ...wanted] = [name, ...words].map((text) => text.toLowerCase()) as [string];
  if (!wanted.every((word) => lower.includes(word))) return null;
  const [first = ""] = wanted;
  if (lower === wanted.join(" ") || lower === wanted.join("-")) return fit.exact;
  return lower.startsWith(first) ? fit.code : fit.part;
}

interface Ranked {
  noun: string;
  fit: number;
}

/**
 * Returns the best results. `found` must be sorted. No noun fills more than half of the places
 * while there are results of other nouns.
 */
export function bestOf<T extends Ranked>(found: readonly T[], limit: number): T[] {
  const most = Math.ceil(limit / 2);
  const counts = new Map<string, number>();
  const first: T[] = [];
  const spare: T[] = [];
  for (const one of found) {
    const count = (counts.get(one.noun) ?? 0) + 1;
    counts.set(one.noun, count);
    (count <= most ? first : spare).push(one);
  }
  const kept = new Set([...first, ...spare].slice(0, limit));
  return found.filter((one) => kept.has(one));
}
