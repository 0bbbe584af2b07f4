// Every page of the console, with two sets of data. With a fleet that has a history, no page has an
// accessibility problem in either theme. With a service whose names, labels, codes, messages and
// errors are as long as allowed, no page is wider than its window, no word is broken, and no row
// has more than two lines, in all languages and at seven sizes, one of which is a zoom of 400 %.
// Themes change only colours, so their layout is the same.

import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { signedIn, withBrowser } from "../../scripts/screenshots/camera.ts";
import { shots } from "../../scripts/screenshots/pages.ts";
import { withFleet } from "../../scripts/screenshots/with-fleet.ts";
import { nouns } from "../../src/console/nouns/nouns.ts";
import { pages } from "../../src/console/shell/pages.ts";
import { languages } from "../../src/console/texts/languages.ts";
import { idLists } from "../core/planting.ts";
import { expectComplaint, openConsole, violationsOn } from "../helpers/browser/browser.ts";
import { until } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { actions, type HostileWorld, openHostileWorld } from "./hostile-world.ts";
import { layoutProblems } from "./layout-problems.ts";

test("every page is accessible", async () => {
  const problems: string[] = [];
  await withFleet((subject) =>
    withBrowser(async (browser) => {
      for (const size of ["wide", "narrow"] as const) {
        const context = await signedIn(browser, subject, size);
        for (const { name, path, prepare } of shots) {
          const page = await context.newPage();
          await page.goto(path(subject.ids));
          await page.getByRole("heading", { level: 1 }).first().waitFor();
          await page.locator("main .loading").first().waitFor({ state: "detached" });
          await prepare?.(page);
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            const found = await violationsOn(page);
            problems.push(...found.map((line) => `${name}, ${colorScheme}, ${size}: ${line}`));
          }
          const found = await layoutProblems(page);
          problems.push(...found.map((line) => `${name}, ${size}: ${line}`));
          await page.close();
        }
        await context.close();
      }
    }),
  );
  expect(problems).toEqual([]);
});

/** The last size is what a window of 1280 by 1024 pixels shows at 400 %. */
const sizes = [
  [1920, 1080],
  [1440, 900],
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [390, 844],
  [320, 256],
] as const;

const dayMs = 86_400_000;

/** Problems, and the widths at which each appears. */
type Problems = Map<string, number[]>;

test("every page fits every width in every language, however long its contents are", async () => {
  // `refuseChange` refuses changes, and an agent that runs no commands prepares nothing.
  expectComplaint(/the server responded with a status of (4\d\d|504)/);
  const world = await openHostileWorld();
  const paths = await pathsOf(world);
  const problems: Problems = new Map();
  for (const { code } of languages) {
    const { page, intercept } = await openConsole(world.server, {
      as: owner,
      locale: code,
      path: "/account",
    });
    // Times of another day are longer.
    if (code === "de") await page.clock.setFixedTime(Date.now() + dayMs);
    await intercept("**/api/**", refuseChange);
    const visitor = visit(page, code, problems);
    for (const path of paths) await visitor.lookAt(path, code === "en");
    await page.context().clearCookies();
    await visitor.lookAt("/login", false);
    const { pages: shown, dialogs } = visitor.counts;
    expect(shown, code).toBeGreaterThan(60);
    if (code === "en") expect(dialogs).toBeGreaterThan(60);
  }
  const lines = [...problems].map(([problem, widths]) => `${widths.join(" ")}: ${problem}`);
  expect(lines).toEqual([]);
});

function visit(page: Page, language: string, problems: Problems) {
  const counts = { pages: 0, dialogs: 0 };
  const open = new Set<unknown>();
  page.on("request", (request) => void open.add(request));
  page.on("requestfinished", (request) => void open.delete(request));
  page.on("requestfailed", (request) => void open.delete(request));
  page.on("dialog", (dialog) => dialog.accept().catch(() => undefined));
  return { counts, lookAt };

  async function goto(path: string): Promise<void> {
    await page.goto(path);
    await settle();
    await page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)");
  }

  async function settle(): Promise<void> {
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.locator("main .loading").first().waitFor({ state: "detached" });
    await until("the page is quiet", () => open.size === 0);
  }

  async function lookAt(path: string, withDialogs: boolean): Promise<void> {
    await goto(path);
    const tabs = await page.evaluate<string[]>(
      "[...document.querySelectorAll('main nav.tabs a')].map((tab) => tab.pathname + tab.search)",
    );
    for (const tab of tabs.length > 0 ? tabs : [path]) {
      if (tabs.length > 0) await goto(tab);
      counts.pages++;
      await measure(tab);
      if (withDialogs) await lookAtDialogs(tab);
    }
  }

  async function lookAtDialogs(path: string): Promise<void> {
    const total = await page.evaluate<number>(`${buttons}.length`);
    const seen = new Set<string>();
    for (let index = 0; index < total; index++) {
      const name = await page.evaluate<string>(`${buttons}[${index}]?.innerText ?? ""`);
      // The buttons of rows open the same dialogs.
      if (seen.has(name)) continue;
      seen.add(name);
      await page.evaluate(`${buttons}[${index}]?.click()`);
      await settle();
      if (await page.evaluate<boolean>(`document.querySelector("${panels}") !== null`)) {
        counts.dialogs++;
        await measure(`${path}, ${name.trim() || `button ${index}`}`);
        await page.keyboard.press("Escape");
      } else if (new URL(page.url()).pathname !== path.split("?")[0]) {
        await goto(path);
      }
    }
  }

  async function measure(what: string): Promise<void> {
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const line of await layoutProblems(page)) {
        const key = `${language} ${what}: ${line}`;
        problems.set(key, [...(problems.get(key) ?? []), width]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}

const panels = "dialog[open], :popover-open";

/** Buttons that can be pressed, except those that copy, sort and download. */
const buttons = `[...document.querySelectorAll("main button")].filter((button) =>
  !button.disabled && button.checkVisibility() && !button.closest("dialog, [popover], th") && !button.className.includes("copy"))`;

/** Refuses the browser's changes, but not its previews and tests. */
async function refuseChange(route: Route): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  const changes =
    request.method() !== "GET" && !/\/(preview|test|plan|replay|logout)$/.test(pathname);
  if (!changes) return route.continue();
  const error = { code: "VERSION_CONFLICT", message: "The test refuses it.", requestId: "r" };
  await route.fulfill({ status: 409, json: { success: false, error } });
}

/** The path of every page, with up to four objects of each kind. */
async function pathsOf({ operator }: HostileWorld): Promise<string[]> {
  const values = new Map<string, string[]>([
    ["actionName", Object.values(actions)],
    ["noun", Object.keys(nouns)],
  ]);
  for (const [param, list] of Object.entries(idLists)) {
    const items = (await operator.call(list, { query: { pageSize: 100 } } as never)) as {
      id: string;
    }[];
    expect(items, list).not.toEqual([]);
    values.set(
      param,
      items.slice(0, 4).map(({ id }) => id),
    );
  }
  const paths = pages.flatMap(({ path }) => {
    const params = [...path.matchAll(/:(\w+)/g)].map(([, param = ""]) => param);
    return params.reduce(
      (all, param) =>
        all.flatMap((each) =>
          (values.get(param) ?? []).map((value) => each.replace(`:${param}`, value)),
        ),
      [path],
    );
  });
  // The id in `/nouns/:noun/:id` must belong to the noun.
  const [firstUser] = values.get("userId") ?? [];
  return [...new Set([...paths, `/nouns/users/${firstUser}`])];
}
