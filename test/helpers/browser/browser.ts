// Opens the console in a real browser. A test fails if the browser reports an unexpected error or
// contacts another host.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
  type Route,
} from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { Server } from "../process/process.ts";
import { type AnyServer, type Person, signInAs } from "../session.ts";
import { isLong } from "../size.ts";
import { templateOwner } from "../template-owner.ts";
import { browserPlace } from "./browser-place.ts";
import { chromiumIn } from "./chromium.ts";

export type Console = Awaited<ReturnType<typeof openConsole>>;

interface ConsoleOptions {
  width?: number;
  height?: number;
  /** The language that the browser prefers. */
  locale?: string;
  path?: string;
  /** The user who is signed in from the beginning, or the session's cookie. */
  as?: Person | string;
}

/** What serves the console. A `Person` can sign in only if the server has a database file. */
type Site = AnyServer | Pick<Server, "url">;

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** All test files of this process share this browser. */
let browser: Promise<Browser> | null = null;
/** The errors that the current test expects. */
let announced: RegExp[] | null = null;

/** Expects an error that the test causes on purpose, so that the error does not fail the test. */
export function expectComplaint(pattern: RegExp): void {
  announcedByTest().push(pattern);
}

function announcedByTest(): RegExp[] {
  if (announced === null) {
    announced = [];
    onTestFinished(() => {
      announced = null;
    });
  }
  return announced;
}

/**
 * Playwright creates the browser's profile in the temporary folder of this process, and sometimes
 * cannot remove it, because the browser still writes. The run removes `temp` at its end.
 */
async function launch(): Promise<Browser> {
  const { TMPDIR } = process.env;
  const { folder, temp } = browserPlace;
  process.env.TMPDIR = temp;
  try {
    return await chromium.launch(chromiumIn(folder, temp));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** The browser stores nothing except the session of the user `as`. */
export async function openConsole(server: Site, options: ConsoleOptions = {}) {
  const { width = 1280, height = 800, path = "/", as } = options;
  const { locale = "en-GB" } = options;
  browser ??= launch();
  const context = await (await browser).newContext({
    baseURL: server.url,
    viewport: { width, height },
    reducedMotion: "reduce",
    locale,
    timezoneId: "UTC",
    serviceWorkers: "block",
  });
  // The machine may be busy with all the other tests.
  context.setDefaultTimeout(120_000);
  const complaints = await listen(context, new URL(server.url).host);
  const expected: RegExp[] = [];
  if (as) await context.addCookies([await cookieOf(server, as)]);
  const page = await context.newPage();
  waitForDialogs(page);
  if (process.env.SLOW_BROWSER) await slowDown(page);
  const announcedToAll = announcedByTest();
  const known = () => [...announcedToAll, ...expected];
  onTestFinished(async () => {
    const unexpected = complaints.filter((line) => !known().some((each) => each.test(line)));
    await context.close();
    expect(unexpected, "the browser reported errors").toEqual([]);
  });
  await page.goto(path);
  const goto = async (path: string) => {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
  };
  return {
    page,
    dialog: page.getByRole("dialog"),
    /** Returns the button with exactly this name, on the page or within a part of it. */
    button: (name: string, within: Pick<Page, "getByRole"> = page) =>
      within.getByRole("button", { name, exact: true }),
    /** Waits for the response and, after a success, for the next page. */
    signIn: (username = templateOwner.username, password = templateOwner.password) =>
      signIn(page, username, password),
    /** Loads the path, and waits for its heading. */
    goto,
    /**
     * Opens the path as Back and Forward do, without loading the page again. Does not wait: for a
     * moment, the page still shows the previous path.
     */
    visit: async (path: string) => {
      await page.evaluate(
        `history.pushState(null, "", ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent("popstate"))`,
      );
    },
    /**
     * Lets a test fast-forward the page's timers. Loads the page again, because timers that already
     * run could no longer be stopped.
     */
    async installClock() {
      await page.clock.install();
      await goto(page.url());
    },
    intercept: (url: Url, handle: (route: Route) => unknown) => intercept(page, url, handle),
    /** Like `goto`, but first signs in another user. Takes half as long as `openConsole`. */
    async gotoAs(user: Person, path: string) {
      await context.addCookies([await cookieOf(server, user)]);
      await goto(path);
    },
    /** Like `expectComplaint`, but for this browser only. */
    expectComplaint: (pattern: RegExp) => void expected.push(pattern),
    /** Returns all errors, security policy violations, failed requests and foreign requests. */
    complaints: () => [...complaints],
    /** Returns one line for each problem that axe-core finds in the page. */
    axe: () => violationsOn(page),
    /**
     * Expects no problems and no overflow. `npm test` checks only the given look, if any.
     * `npm run test:long` always checks two widths with two themes.
     */
    expectAccessible: (look?: Look) => expectAccessible(page, look),
  };
}

/** Lets the page run as on a machine that is 10 times slower. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 10 });
}

/**
 * Makes `fill` wait until no modal dialog covers the field. Playwright types into the element with
 * the focus. A field behind a dialog cannot get the focus, so the text would be lost.
 */
function waitForDialogs(page: Page): void {
  const all = Object.getPrototypeOf(page.locator("body")) as Pick<Locator, "fill" | "and" | "page">;
  const { fill } = all;
  if (fill.name === "fillReachable") return;
  all.fill = async function fillReachable(...given) {
    await this.and(this.page().locator(reachable)).waitFor({ state: "attached" });
    await fill.apply(this, given);
  };
}

const reachable = ":root:not(:has(:modal)) *, :modal *";

type Url = Parameters<Page["route"]>[0];

/**
 * Handles the requests of the page to these addresses until the returned function is called. Must
 * not call `unroute`: Chromium stops intercepting after the last route, and then sometimes never
 * sends a request that it has just received from the page.
 */
async function intercept(page: Page, url: Url, handle: (route: Route) => unknown) {
  let isActive = true;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  await page.route(url, async (route) => {
    if (!isActive) return route.fallback();
    try {
      await handle(route);
    } catch (error) {
      // At the end of the test, the browser closes even if requests are still being handled.
      if (!isOver) throw error;
    }
  });
  return () => {
    isActive = false;
  };
}

async function cookieOf(server: Site, as: Person | string) {
  const [name = "", value = ""] = (await textOfCookie(server, as)).split("=");
  return { name, value, url: server.url };
}

async function textOfCookie(server: Site, as: Person | string): Promise<string> {
  if (typeof as === "string") return as;
  if (!("file" in server)) throw new Error("sign-in needs the server's database file");
  return (await signInAs(server, as)).cookie;
}

/** Adds all errors from now on to the returned list. */
async function listen(context: BrowserContext, host: string): Promise<string[]> {
  const complaints: string[] = [];
  const checkHost = (url: string) => {
    if (url.startsWith("blob:") || new URL(url).host === host) return;
    complaints.push(`foreign request: ${url.slice(0, 200)}`);
  };
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${textOf(message)}`);
  });
  context.on("weberror", (failure) => void complaints.push(`error: ${failure.error()}`));
  context.on("request", (request) => checkHost(request.url()));
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The page itself aborted the request.
    if (reason === "net::ERR_ABORTED") return;
    complaints.push(`request failed: ${request.method()} ${request.url()}: ${reason}`);
  });
  context.on("page", (page) => page.on("websocket", (socket) => checkHost(socket.url())));
  await context.addInitScript({ content: tellViolations });
  return complaints;
}

const tellViolations = `
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    console.error("content policy: " + effectiveDirective + " forbids " + blockedURI);
  });
`;

function textOf(message: ConsoleMessage): string {
  return `${message.text()} (${message.location().url})`;
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  const userField = page.getByLabel("Username", { exact: true });
  await userField.fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/admin/auth/login"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  if ((await answered).ok()) await userField.waitFor({ state: "detached" });
}

const looks = { narrow: [390, "dark"], wide: [1440, "light"] } as const;

type Look = keyof typeof looks;

const allLooks = [looks.narrow, looks.wide, [390, "light"], [1440, "dark"]] as const;

async function expectAccessible(page: Page, look: Look | undefined): Promise<void> {
  if (look === undefined && !isLong) return;
  // The parts after one that is loading are not shown yet.
  await page.locator("main .loading").first().waitFor({ state: "detached" });
  const before = page.viewportSize();
  for (const [width, colorScheme] of isLong || !look ? allLooks : [looks[look]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const what = `${page.url()}, ${colorScheme}, ${width} px`;
    await expect.poll(() => violationsOn(page), { message: what }).toEqual([]);
    const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(needed, what).toBeLessThanOrEqual(width);
  }
  if (before) await page.setViewportSize(before);
}

/** Loads axe-core through the debugger, so that the content security policy stays in force. */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  const found = await page.evaluate<AxeResults>(
    'axe.run({ resultTypes: ["violations"], preload: false })',
  );
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help}: ${target.join(" ")}`),
  );
}
