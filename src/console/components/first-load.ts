/**
 * Marks the page as loading until all of its parts have loaded for the first time. Until then,
 * loaded.css hides the content below a part that is loading. What the user has seen stays visible
 * and keeps the focus when another part begins to load. Returns a function that ends this.
 */
export function watchFirstLoad(main: HTMLElement): () => void {
  const look = () => {
    if (main.querySelector(".loading:not(dialog *)")) return;
    delete main.dataset.firstLoad;
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(main, { childList: true, subtree: true });
  main.dataset.firstLoad = "";
  look();
  return () => observer.disconnect();
}
