// From what a person types (an id, a code, a name, the beginning of an id) to the one thing it means.
// (`cli.md` "Names")

import type { Client } from "../client/client.ts";
import { editDistance } from "../lib/edit-distance.ts";
import { CliError, exit } from "./exit.ts";

interface Named {
  id: string;
  code: string;
  name: string | null;
}

const pageSize = 200;
const maxCandidates = 10;

/** The id of the service. Throws a not-found error with the nearest name, or the candidates. */
export function resolveService(client: Client, text: string): Promise<string> {
  return resolve("service", "svc_", text, (q, page) =>
    client.page("services.list", { query: { pageSize, page, ...(q === null ? {} : { q }) } }),
  );
}

/** The id of the agent; likewise. */
export function resolveAgent(client: Client, text: string): Promise<string> {
  return resolve("agent", "agt_", text, (q, page) =>
    client.page("agents.list", { query: { pageSize, page, ...(q === null ? {} : { q }) } }),
  );
}

/** The id of the route of the bus, by id or name; likewise. */
export function resolveRoute(client: Client, text: string): Promise<string> {
  return resolve("bus route", "brt_", text, async (q, page) => {
    const query = { pageSize, page, ...(q === null ? {} : { q }) };
    const { data, pagination } = await client.page("bus-routes.list", { query });
    return { data: data.map(({ id, name }) => ({ id, code: name, name })), pagination };
  });
}

type Fetch = (
  q: string | null,
  page: number,
) => Promise<{ data: Named[]; pagination: { total: number } }>;

async function resolve(noun: string, prefix: string, text: string, fetch: Fetch): Promise<string> {
  if (text.startsWith(prefix) && text.length === prefix.length + 26) return text;
  const byId = text.startsWith(prefix);
  const known = await everything(fetch, byId || text === "" ? null : text);
  const exact = known.filter((item) => item.code === text);
  const matches =
    exact.length > 0
      ? exact
      : known.filter((item) => (byId ? item.id.startsWith(text) : item.name === text));
  if (matches.length === 1 && matches[0]) return matches[0].id;
  if (matches.length > 1) throw ambiguous(noun, text, matches);
  throw notFound(noun, text, nearest(text, await everything(fetch, null)));
}

async function everything(fetch: Fetch, q: string | null): Promise<Named[]> {
  const items: Named[] = [];
  for (let page = 1; ; page++) {
    const { data, pagination } = await fetch(q, page);
    items.push(...data);
    if (data.length === 0 || items.length >= pagination.total) return items;
  }
}

function ambiguous(noun: string, text: string, matches: Named[]): CliError {
  const shown = matches.slice(0, maxCandidates);
  const more = matches.length > shown.length ? `\n  and ${matches.length - shown.length} more` : "";
  const list = shown.map((item) => `\n  ${item.id}  ${item.code}`).join("") + more;
  return new CliError(exit.conflict, `${text} is more than one ${noun}:${list}`, {
    code: "AMBIGUOUS",
  });
}

function notFound(noun: string, text: string, suggestion: string | null): CliError {
  const hint = suggestion ? ` Did you mean ${suggestion}?` : "";
  return new CliError(exit.notFound, `there is no ${noun} ${text}.${hint}`, {
    code: `${noun.toUpperCase().replaceAll(" ", "_")}_NOT_FOUND`,
  });
}

/** The code that begins so, or is fewest edits away, if that is close enough to be meant. */
export function nearest(text: string, known: Pick<Named, "code">[]): string | null {
  const longer = known.find(({ code }) => code.toLowerCase().startsWith(text.toLowerCase()));
  if (longer && text !== "") return longer.code;
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const { code } of known) {
    const distance = editDistance(text.toLowerCase(), code.toLowerCase());
    if (distance < bestDistance) {
      best = code;
      bestDistance = distance;
    }
  }
  return best;
}
