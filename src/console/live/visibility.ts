// Whether the page is visible. A hidden page must not keep the session alive.

import { useSyncExternalStore } from "react";

export function usePageVisibility(): boolean {
  return useSyncExternalStore(watch, () => !document.hidden);
}

function watch(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
