import type { Page } from "playwright-core";

/** Returns the name of the element that has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const here = document.activeElement;
    const label = here && "labels" in here ? (here as HTMLInputElement).labels?.[0] : null;
    return (here?.ariaLabel ?? label?.textContent ?? here?.textContent ?? "").trim();
  });
}
