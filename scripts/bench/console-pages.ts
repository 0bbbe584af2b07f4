// Measures the time from an action to the first paint of its result. Each round starts with an
// empty cache.

import type { Browser, CDPSession, Page } from "playwright-core";
import type { Agent } from "./fixtures.ts";
import { medianAtMost, type Reading, readingOf, type Unit } from "./readings.ts";

interface Site {
  url: string;
  cookie: string;
  /** The measurement sends heartbeats as this agent. */
  agent: Agent;
}

type Measured = [work: string, unit: Unit, target: number, value: number][];

const allCells = "document.querySelectorAll('a.map-cell').length > 2000";
const mapCount = "document.querySelector('.map-filters [role=status]')?.textContent";
const firstRow = "document.querySelector('.table tbody tr')?.textContent";

export async function measurePages(
  browser: Browser,
  site: Site,
  rounds: number,
): Promise<Reading[]> {
  const measured: Measured[] = [];
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round++) {
    const one = await measureRound(browser, site, round);
    if (round >= 0) measured.push(one);
  }
  return (measured[0] ?? []).map(([work, unit, target], place) => {
    const values = measured.map((one) => one[place]?.[3] ?? Number.NaN);
    return readingOf(work, unit, values, medianAtMost(target));
  });
}

async function measureRound(browser: Browser, site: Site, round: number): Promise<Measured> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
  });
  try {
    const [name = "", value = ""] = site.cookie.split("=");
    await context.addCookies([{ name, value, url: site.url }]);
    await context.addInitScript({ content: inPage });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    return [
      ...(await overview(page, session)),
      ...(await liveChange(page, site, round)),
      ...(await agentList(page)),
    ];
  } finally {
    await context.close();
  }
}

/**
 * Returns the milliseconds from the event that `act` causes until the paint after `isSo` becomes
 * true.
 */
async function timed(
  page: Page,
  event: "keydown" | "pointerdown" | "now",
  isSo: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`{ bench.done = bench.painted("${event}", () => ${isSo}); null }`);
  await act();
  return page.evaluate<number>("bench.done");
}

async function overview(page: Page, session: CDPSession): Promise<Measured> {
  await page.goto("/");
  const cells = await page.evaluate<number>(`bench.painted("load", () => ${allCells})`);
  const paints = await page.evaluate<{ first: number; largest: number }>("bench.paints()");
  const beforeFilter = await page.evaluate<string>(mapCount);
  // A letter that is typed while the other parts of the overview arrive can be lost.
  await page.waitForLoadState("networkidle");
  const field = page.getByLabel("Find a service");
  const filter = await timed(
    page,
    "keydown",
    `${mapCount} !== ${JSON.stringify(beforeFilter)}`,
    () => field.press("9"),
  );
  await page.keyboard.press("Backspace");
  await page.evaluate(`bench.painted("now", () => ${allCells})`);
  await page.locator("a.map-cell").nth(1000).focus();
  const arrow = await timed(page, "keydown", "document.activeElement !== bench.focused", () =>
    page.keyboard.press("ArrowDown"),
  );
  const { metrics } = await session
    .send("HeapProfiler.collectGarbage")
    .then(() => session.send("Performance.enable"))
    .then(() => session.send("Performance.getMetrics"));
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
  return [
    ["overview: first paint", "ms", 1_000, paints.first],
    ["overview: largest paint", "ms", 2_500, paints.largest],
    ["overview: all cells of the map are shown", "ms", 2_000, cells],
    ["map: typing a letter in the filter", "ms", 100, filter],
    ["map: arrow key", "ms", 100, arrow],
    ["overview: memory used by scripts", "MiB", 50, heap / 2 ** 20],
  ];
}

/** Measures the time until the map shows a changed service, and the longest blocking task. */
async function liveChange(page: Page, { url, agent }: Site, round: number): Promise<Measured> {
  await page.waitForTimeout(2_500);
  const selector = JSON.stringify(`#${agent.serviceId}`);
  const label = `document.querySelector(${selector})?.ariaLabel`;
  const before = await page.evaluate<string>(`bench.longest = 0, ${label}`);
  // The service is healthy at first, and the first round is -1.
  const healthStatus = round % 2 === 0 ? "UP" : "DOWN";
  const seen = await timed(page, "now", `${label} !== ${JSON.stringify(before)}`, async () => {
    const answer = await fetch(`${url}/api/agents/heartbeat`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${agent.token}` },
      body: JSON.stringify({ health: [{ serviceCode: agent.serviceCode, healthStatus }] }),
    });
    if (!answer.ok) throw new Error(`The heartbeat returned status ${answer.status}.`);
  });
  const longest = await page.evaluate<number>("bench.longest");
  return [
    ["map: a change is shown", "ms", 3_000, seen],
    ["map: longest task after a change", "ms", 100, longest],
  ];
}

async function agentList(page: Page): Promise<Measured> {
  await page.goto("/agents");
  const rows = await page.evaluate<number>(`bench.painted("load", () => ${firstRow})`);
  const paints = await page.evaluate<{ first: number }>("bench.paints()");
  const after = async (event: "keydown" | "pointerdown", act: () => Promise<void>) => {
    const before = JSON.stringify(await page.evaluate<string>(firstRow));
    return timed(page, event, `${firstRow} && ${firstRow} !== ${before}`, act);
  };
  const next = page.getByRole("button", { name: "Next page" });
  const turned = await after("pointerdown", () => next.click());
  await page.getByLabel("Search").focus();
  const filtered = await after("keydown", () => page.keyboard.press("9"));
  return [
    ["agents: first paint", "ms", 1_000, paints.first],
    ["agents: first page of the list is shown", "ms", 1_500, rows],
    ["agents: next page", "ms", 200, turned],
    ["agents: typing a letter in the filter, including a pause of 250 ms", "ms", 450, filtered],
  ];
}

/**
 * Runs in the page. `painted` returns the milliseconds from the event until the paint after `isSo`
 * becomes true.
 */
const inPage = `
  globalThis.bench = {
    at: {},
    longest: 0,
    focused: null,
    painted(event, isSo) {
      const from = performance.now();
      bench.focused = document.activeElement;
      if (event !== "load") bench.at[event] = event === "now" ? from : null;
      return new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("this never became true: " + isSo)), 20_000);
        const look = () => {
          if (!isSo()) return requestAnimationFrame(look);
          // Runs after this frame is painted.
          setTimeout(() => resolve(performance.now() - (event === "load" ? 0 : bench.at[event])));
        };
        requestAnimationFrame(look);
      });
    },
    paints() {
      return new Promise((resolve) => {
        // The largest paint is reported after the first.
        new PerformanceObserver((list) => {
          const [first] = performance.getEntriesByName("first-contentful-paint");
          resolve({ first: first.startTime, largest: list.getEntries().at(-1).startTime });
        }).observe({ type: "largest-contentful-paint", buffered: true });
      });
    },
  };
  for (const event of ["keydown", "pointerdown"]) {
    addEventListener(event, ({ timeStamp }) => { bench.at[event] ??= timeStamp; }, true);
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.longest = Math.max(bench.longest, duration);
  }).observe({ type: "longtask" });
`;
