/**
 * Marks the page as loading until all of its parts have loaded for the first time. Until then,
 * loaded.css hides the content below a part that is loading. The mark is removed early if a part
 * above visible content begins to load: what the user has seen stays visible and keeps the focus.
 * Returns a function that stops watching.
 */
export function watchFirstLoad(main: HTMLElement): () => void {
  /** The first part that is loading. The content above it is visible. */
  let first: Element | null = null;
  const look = () => {
    const next = main.querySelector(".loading:not(dialog *)");
    const isAbove = next !== first && first?.isConnected;
    first = next;
    if (next && !isAbove) return;
    delete main.dataset.firstLoad;
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(main, { childList: true, subtree: true });
  main.dataset.firstLoad = "";
  look();
  return () => observer.disconnect();
}
