// The console in a real browser, for tests of it. What the browser complains of fails the test, unless the
// test has announced it; so does a request to any other host.

import axe, { type AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, beforeEach, expect, inject, onTestFinished } from "vitest";
import { chromiumIn } from "./chromium.ts";
import { templateOwner } from "./template-owner.ts";

export interface Console {
  page: Page;
  /** Through the page's fields. Waits for the answer, and where it is a yes, until the page has gone on. */
  signIn(username?: string, password?: string): Promise<void>;
  /** Loads the path, and waits for its heading. */
  goto(path: string): Promise<void>;
  /** What was wrong so far: errors, violations of the content policy, requests that failed or went elsewhere. */
  complaints(): string[];
  /** What axe-core finds wrong with what is shown, each a short line. */
  axe(): Promise<string[]>;
}

export interface ConsoleOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  path?: string;
}

let browser: Promise<Browser> | null = null;
/** Of the test that runs. */
let announced: RegExp[] = [];

beforeEach(() => {
  announced = [];
});

afterAll(async () => {
  await (await browser)?.close();
  browser = null;
});

/** The test brings this about: it is none of the complaints that fail it. */
export function expectComplaint(pattern: RegExp): void {
  announced.push(pattern);
}

/** Opens the console of the server in a browser that knows nothing yet. All of a file share its process. */
export async function openConsole(
  server: { url: string },
  options: ConsoleOptions = {},
): Promise<Console> {
  const { width = 1280, height = 800, theme = "light", path = "/" } = options;
  browser ??= chromium.launch(chromiumIn(inject("chromiumFolder")));
  const context = await (await browser).newContext({
    baseURL: server.url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(10_000);
  const complaints = await listen(context, new URL(server.url).host);
  const expected = announced;
  const page = await context.newPage();
  onTestFinished(async () => {
    const unexpected = complaints.filter((line) => !expected.some((each) => each.test(line)));
    await context.close();
    expect(unexpected, "the browser complained").toEqual([]);
  });
  await page.goto(path);
  return {
    page,
    signIn: (username = templateOwner.username, password = templateOwner.password) =>
      signIn(page, username, password),
    async goto(path) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    },
    complaints: () => [...complaints],
    axe: () => violationsOn(page),
  };
}

/** Into the list that is answered goes whatever is wrong from now on, on all pages. */
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
    // The page has changed its mind.
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

/** The script comes through the debugger: the page's content policy stays as it is. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help}: ${target.join(" ")}`),
  );
}
