// Finds out whether the server still has the version of the console that is open. The name of the
// entry script differs between builds.

import { useQuery } from "@tanstack/react-query";

export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded";

  constructor(cause: unknown) {
    super("A page could not be loaded.", { cause });
  }
}

/** `away`: the server does not respond, or responds with something else. */
type ServedConsole = "same" | "newer" | "away";

const retryMs = 5_000;
const entryScript = 'script[type="module"][src]';

/**
 * Asks once for each failed page, and repeatedly while the server is away. Returns undefined until
 * the server has responded or has failed to respond.
 */
export function useServedConsole(): ServedConsole | undefined {
  const { data } = useQuery({
    queryKey: ["served console", location.pathname],
    queryFn: ({ signal }) => findServed(signal),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data === "away" ? retryMs : false),
  });
  return data;
}

async function findServed(signal: AbortSignal): Promise<ServedConsole> {
  try {
    const headers = { Accept: "text/html" };
    const response = await fetch("/", { headers, cache: "no-cache", signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const entry = entryOf(page);
    if (!response.ok || entry === null) return "away";
    return entry === entryOf(document) ? "same" : "newer";
  } catch {
    return "away";
  }
}

/** Returns the attribute as written, not resolved against the page's URL. */
function entryOf(page: Document): string | null {
  return page.querySelector(entryScript)?.getAttribute("src") ?? null;
}
