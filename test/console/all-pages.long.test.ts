// Every page of the console, with a fleet that has a history: no accessibility problem and no overflow, in
// both themes and at six widths.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signedIn, withBrowser } from "../../scripts/screenshots/camera.ts";
import { shots } from "../../scripts/screenshots/pages.ts";
import { withFleet } from "../../scripts/screenshots/with-fleet.ts";
import { violationsOn } from "../helpers/browser/browser.ts";

/** Further widths, in pixels, besides those of the screenshots. */
const narrower = { wide: [1280, 1024, 768], narrow: [320] };

test("every page is accessible and fits", { timeout: 3_600_000 }, async () => {
  const problems: string[] = [];
  await withFleet((subject) =>
    withBrowser(async (browser) => {
      for (const theme of ["light", "dark"] as const) {
        for (const size of ["wide", "narrow"] as const) {
          const context = await signedIn(browser, subject, size, theme);
          for (const { name, path, prepare } of shots) {
            const what = `${name}, ${theme}, ${size}`;
            const page = await context.newPage();
            await page.goto(path(subject.ids));
            await page.getByRole("heading", { level: 1 }).first().waitFor();
            await page.locator("main .loading").first().waitFor({ state: "detached" });
            await prepare?.(page);
            for (const line of await violationsOn(page)) problems.push(`${what}: ${line}`);
            await noteOverflow(page, what, problems);
            // A hint at the pointer keeps its place when the window becomes smaller.
            await page.mouse.move(0, 0);
            for (const width of narrower[size]) {
              await page.setViewportSize({ width, height: 700 });
              await noteOverflow(page, `${what}, ${width} px`, problems);
            }
            await page.close();
          }
          await context.close();
        }
      }
    }),
  );
  expect(problems).toEqual([]);
});

/** Names what sticks out. */
async function noteOverflow(page: Page, what: string, problems: string[]): Promise<void> {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  const outside = await page.evaluate<string[]>(`
    document.documentElement.scrollWidth <= innerWidth ? [] :
      [...document.querySelectorAll("body *")]
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.localName + "." + element.className)
  `);
  if (outside.length > 0) problems.push(`${what}: ${outside.join(" ")}`);
}
