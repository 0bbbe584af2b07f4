// While the parts of a page arrive, one after the other, nothing on it moves. The cumulative layout
// shift, which browsers compute, stays below 0.02 on every page. Above 0.1, a page is considered to
// need improvement.

import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signedIn, withBrowser } from "../../scripts/screenshots/camera.ts";
import { shots } from "../../scripts/screenshots/pages.ts";
import { withFleet } from "../../scripts/screenshots/with-fleet.ts";
import "../helpers/browser/browser-place.ts";

const most = 0.02;

interface Shift {
  value: number;
  what: string[];
}

/** Collects the layout shifts that do not follow user input. */
const collect = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const named = ({ node }) => node?.className || node?.nodeName || "?";
      if (!hadRecentInput) shifts.push({ value, what: sources.map(named) });
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

test("nothing moves while a page loads", async () => {
  const moved: string[] = [];
  await withFleet((subject) =>
    withBrowser(async (browser) => {
      for (const size of ["wide", "narrow"] as const) {
        const context = await signedIn(browser, subject, size);
        await context.addInitScript({ content: collect });
        // Parts arrive at different times, as over a slow line.
        let call = 0;
        await context.route("**/api/**", async (route) => {
          await pause(60 + ((call++ * 90) % 350));
          await route.continue().catch(() => undefined);
        });
        for (const { name, path } of shots) {
          const page = await context.newPage();
          await page.goto(path(subject.ids));
          await settled(page);
          const shifts = await page.evaluate<Shift[]>("shifts");
          const sum = shifts.reduce((total, { value }) => total + value, 0);
          const what = shifts.map((shift) => `${shift.value.toFixed(3)} ${shift.what.join(", ")}`);
          if (sum >= most)
            moved.push(`${name}, ${size}: ${sum.toFixed(3)}\n  ${what.join("\n  ")}`);
          await page.close();
        }
        await context.close();
      }
    }),
  );
  expect(moved).toEqual([]);
});

/** Waits until all parts have arrived. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.getByText("Loading …").first().waitFor({ state: "detached" });
}
