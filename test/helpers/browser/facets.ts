import type { Locator } from "playwright-core";
import type { Console } from "./browser.ts";

/** Opens the filter menu of a list at one filter, and returns the filter's field, if any. */
export async function openFacet({ page }: Pick<Console, "page">, name: string): Promise<Locator> {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const menu = page.getByRole("dialog", { name: "Filters" });
  await menu.getByRole("tab", { name, exact: true }).click();
  return menu.getByRole("combobox", { name, exact: true });
}
