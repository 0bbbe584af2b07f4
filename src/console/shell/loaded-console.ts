// Finds out whether the server still has the console that is open here. Each build gives its entry script a
// new name.

import { useQuery } from "@tanstack/react-query";

/** The file of a page could not be loaded. */
export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded";

  constructor(cause: unknown) {
    super("The file of a page could not be loaded.", { cause });
  }
}

/** `away`: the server does not respond, or not with a console. */
type ServedConsole = "same" | "newer" | "away";

const retryMs = 5_000;
const entryScript = 'script[type="module"][src]';

/** Asks for each failed page, and again while the server is away; undefined until the answer is known. */
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

/** The attribute as written in the page, whatever the page's own address. */
function entryOf(page: Document): string | null {
  return page.querySelector(entryScript)?.getAttribute("src") ?? null;
}
