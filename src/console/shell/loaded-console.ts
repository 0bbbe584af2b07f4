// Finds out whether the server still has the console that is open here. Each build gives its entry script a
// new name.

import { useEffect, useState } from "react";

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

/** Asks after each failure, and again while the server is away; null until the answer is known. */
export function useServedConsole(failure: unknown): ServedConsole | null {
  const [served, setServed] = useState<ServedConsole | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page may fail for another reason
  useEffect(() => {
    const left = new AbortController();
    let timer: number | undefined;
    const ask = async () => {
      const found = await findServed(left.signal);
      if (left.signal.aborted) return;
      setServed(found);
      if (found === "away") timer = window.setTimeout(() => void ask(), retryMs);
    };
    void ask();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [failure]);
  return served;
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
