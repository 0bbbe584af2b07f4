// Whether the server still has the console that is open here: each build names its entry script anew.

import { useEffect, useState } from "react";

/** `away`: the server does not answer, or not with a console. */
export type ServedConsole = "same" | "newer" | "away";

const againMs = 5_000;
const entryScript = 'script[type="module"][src]';

/** Asked for each failure, and again while the server is away; null until it is known. */
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
      if (found === "away") timer = window.setTimeout(() => void ask(), againMs);
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
    const answer = await fetch("/", {
      headers: { Accept: "text/html" },
      cache: "no-cache",
      signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const entry = entryOf(page);
    if (!answer.ok || entry === null) return "away";
    return entry === entryOf(document) ? "same" : "newer";
  } catch {
    return "away";
  }
}

/** As it is written in the page, which is the same wherever the page is. */
function entryOf(page: Document): string | null {
  return page.querySelector(entryScript)?.getAttribute("src") ?? null;
}
