import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { chromiumIn, unpackChromium } from "../../test/helpers/browser/chromium.ts";
import type { Session } from "./fill.ts";
import { type Ids, type Shot, shots } from "./pages.ts";

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
const themes = ["light", "dark"] as const;

type Size = keyof typeof sizes;
type Theme = (typeof themes)[number];

export interface Subject {
  url: string;
  session: Session;
  ids: Ids;
}

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch(chromiumIn(unpackChromium()));
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

export async function signedIn(
  browser: Browser,
  { url, session }: Pick<Subject, "url" | "session">,
  size: Size = "wide",
  theme: Theme = "light",
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: sizes[size],
    colorScheme: theme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const [name = "", value = ""] = session.cookie.split("=");
  await context.addCookies([{ name, value, url }]);
  return context;
}

/** `only` is a list of names, separated by commas; by default, all shots are taken. */
function shotsNamed(only: string | undefined): Shot[] {
  return shots.filter(({ name }) => only === undefined || only.split(",").includes(name));
}

/** Takes every page at full length as `<name>-<theme>-<width>.png`. Returns the failures. */
export async function takeAll(subject: Subject, folder: string, only?: string): Promise<string[]> {
  const missed: string[] = [];
  const wanted = shotsNamed(only);
  await withBrowser(async (browser) => {
    for (const theme of themes) {
      for (const size of Object.keys(sizes) as Size[]) {
        const context = await signedIn(browser, subject, size, theme);
        for (const shot of wanted) {
          const name = `${shot.name}-${theme}-${sizes[size].width}.png`;
          try {
            writeFileSync(join(folder, name), await take(context, shot, subject.ids, true));
          } catch (error) {
            missed.push(`${name}: ${(error as Error).message.split("\n")[0]}`);
          }
        }
        await context.close();
      }
    }
  });
  return missed;
}

/** Screenshots for the documentation show only one window, so that they are readable. */
export async function takeForDocuments(
  subject: Subject,
  folder: string,
  only?: string,
): Promise<string[]> {
  const names: string[] = [];
  await withBrowser(async (browser) => {
    for (const shot of shotsNamed(only)) {
      for (const theme of shot.docs ?? []) {
        const context = await signedIn(browser, subject, "wide", theme);
        const name = `${shot.name}-${theme}.png`;
        writeFileSync(join(folder, name), await take(context, shot, subject.ids, false));
        names.push(name);
        await context.close();
      }
    }
  });
  return names;
}

async function take(
  context: BrowserContext,
  { path, prepare }: Shot,
  ids: Ids,
  fullPage: boolean,
): Promise<Buffer> {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  try {
    await page.goto(path(ids));
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("Loading …").first().waitFor({ state: "detached" });
    await prepare?.(page);
    await page.waitForTimeout(300);
    return await page.screenshot({ fullPage });
  } finally {
    await page.close();
  }
}
