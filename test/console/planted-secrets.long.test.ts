// Looks for planted secrets on every page of the console, as a viewer and as an operator: in what
// the browser receives, shows and keeps, with the tabs, details and dialogs of each page open.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { type Ids, shots } from "../../scripts/screenshots/pages.ts";
import { nouns } from "../../src/console/nouns/nouns.ts";
import { pages } from "../../src/console/shell/pages.ts";
import {
  besideSecrets,
  endEverything,
  everyId,
  idLists,
  oneTimeKey,
  openPlanted,
  type Plants,
  plantEverything,
  preparedForm,
  type ReceivedCommand,
  web,
} from "../core/planting.ts";
import type { Scene } from "../core/scene.ts";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { consoleFiles } from "../helpers/browser/console-files.ts";
import { addUser, listenTestApp, signIn } from "../helpers/http/http.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { until } from "../helpers/process/process.ts";

const roles = ["viewer", "operator"] as const;
type Role = (typeof roles)[number];

const builtFiles = join(consoleFiles, "../..");
const projectFiles = {
  has: () => true,
  read: (path: string) => readFileSync(join(builtFiles, path)),
};

/** The one-time key may be seen only by the first operator who opens the page of its command. */
const meantToBeSeen = new RegExp(
  `^while it is open, operator, /commands/\\w+, (the page|the response of \\S+): ${oneTimeKey}$`,
);

test("no planted secret reaches the browser", async () => {
  // Some pages are refused to a viewer, and `refuseChange` refuses changes.
  expectComplaint(/the server responded with a status of 4\d\d/);
  const { plants, scene } = await openPlanted((env) => listenTestApp(env, { projectFiles }));
  const browsers: { role: Role; visitor: Awaited<ReturnType<typeof visit>> }[] = [];
  for (const role of roles) {
    await addUser(scene, role);
    const { cookie } = await signIn(scene, role);
    browsers.push({ role, visitor: await visit(scene, role, cookie, plants) });
  }
  await plantEverything(scene, plants);
  const received = answerPrepares(scene, plants);
  for (const { visitor } of browsers) await visitor.lookAtEverything("while it is open");
  await endEverything(scene, plants, received.splice(0));
  for (const { visitor } of browsers) await visitor.lookAtEverything("after the end");

  const found = browsers.flatMap(({ visitor }) => visitor.found);
  const isMeant = (line: string) => meantToBeSeen.test(line);
  expect(found.filter((line) => !isMeant(line))).toEqual([]);
  // The key is kept for only five minutes, so it may be gone before the operator opens the page.
  const pagesOfKey = new Set(found.map((line) => line.split(", ")[2]));
  expect(pagesOfKey.size).toBeLessThanOrEqual(1);
  const counts = browsers.map(({ role, visitor }) => ({ role, ...visitor.counts }));
  console.info(JSON.stringify({ secrets: plants.count, counts }));
  expect(plants.count).toBeGreaterThanOrEqual(79);
});

/** Responds as the agent does when the console asks for a form. Returns the other commands. */
function answerPrepares(scene: Scene, plants: Plants): ReceivedCommand[] {
  const received: ReceivedCommand[] = [];
  const isOver = { now: false };
  atEnd(() => {
    isOver.now = true;
  });
  void (async () => {
    while (!isOver.now) {
      const query = { wait: 1 };
      const polled = await scene.agent.client.call("agent.poll", { query }).catch(() => null);
      for (const command of polled?.commands ?? []) {
        if (command.type !== "ACTION_PREPARE") received.push(command);
        else await scene.result(command.id, preparedForm(plants.plant));
      }
    }
  })();
  return received;
}

/** Opens a browser and records where secrets appear in it. */
async function visit(scene: Scene & { url: string }, role: Role, cookie: string, plants: Plants) {
  const { page, intercept } = await openConsole(scene, { as: cookie });
  const found: string[] = [];
  const counts = { pages: 0, buttons: 0, dialogs: 0, responses: 0, payloads: 0 };
  let where = role as string;
  const look = (what: string, text: string) => {
    if (text.includes(besideSecrets)) counts.payloads++;
    for (const label of new Set(plants.find(text))) found.push(`${where}, ${what}: ${label}`);
  };
  const open = new Set<unknown>();
  page.on("request", (request) => void open.add(request));
  page.on("requestfailed", (request) => void open.delete(request));
  page.on("response", async (response) => {
    const { pathname, search } = new URL(response.url());
    const body = await response.text().catch(() => "");
    look(`the response of ${pathname}${search}`, body + JSON.stringify(response.headers()));
    counts.responses++;
    open.delete(response.request());
  });
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => look("the live stream", String(payload))),
  );
  page.on("dialog", (dialog) => dialog.accept());
  await intercept("**/api/**", refuseChange);
  return { found, counts, lookAtEverything };

  async function lookAtEverything(when: string): Promise<void> {
    const opened = new Set<string>();
    const before = { ...counts };
    for (const path of await pathsOf(scene)) {
      where = `${when}, ${role}, ${path}`;
      await page.goto(path);
      await settle();
      counts.pages++;
      await lookAtPage();
      // Some paths lead to the same page.
      const { pathname, search } = new URL(page.url());
      if (opened.has(pathname + search)) continue;
      opened.add(pathname + search);
      await openAll(pathname + search);
    }
    expect(counts.dialogs, "dialogs").toBeGreaterThan(before.dialogs + 10);
    expect(counts.payloads, "payloads without secrets").toBeGreaterThan(before.payloads + 10);
  }

  async function settle(): Promise<void> {
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.locator("main .loading").first().waitFor({ state: "detached" });
    await until("the page is quiet", () => open.size === 0);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
  }

  async function lookAtPage(): Promise<void> {
    for (const [what, text] of Object.entries(await page.evaluate<Record<string, string>>(kept))) {
      look(what, text);
    }
  }

  /** Opens each tab, each detail and each dialog. */
  async function openAll(path: string): Promise<void> {
    await page.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)");
    await lookAtPage();
    const tabs = await page.evaluate<string[]>(
      "[...document.querySelectorAll('main nav.tabs a')].map(({ href }) => href)",
    );
    for (const tab of [...tabs.slice(1), ...(tabs.length > 0 ? tabs.slice(0, 1) : [path])]) {
      if (tabs.length > 0) {
        await page.goto(tab);
        await settle();
        await lookAtPage();
      }
      const total = await page.evaluate<number>(`${buttons}.length`);
      for (let index = 0; index < total; index++) {
        await page.evaluate(`${buttons}[${index}]?.click()`);
        counts.buttons++;
        await settle();
        await lookAtPage();
        if (await page.evaluate<boolean>("document.querySelector('dialog[open]') !== null")) {
          counts.dialogs++;
          await page.keyboard.press("Escape");
        } else if (new URL(page.url()).pathname !== new URL(tab, scene.url).pathname) {
          await page.goto(tab);
          await settle();
        }
      }
    }
  }
}

/** Buttons that can be pressed, except those that copy, sort and download. */
const buttons = `[...document.querySelectorAll("main button")].filter((button) =>
  !button.disabled && !button.closest("dialog, th") && !button.className.includes("copy"))`;

/** Everything that the page contains and stores, as text. */
const kept = `({
  "the page": document.documentElement.outerHTML,
  "the fields": JSON.stringify([...document.querySelectorAll("input, textarea, select")].map(({ value }) => value)),
  "the storage": JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]) + document.cookie,
  "the URL": decodeURIComponent(location.href) + document.title,
})`;

/** Refuses the browser's changes, but not its previews and tests. */
async function refuseChange(route: Route): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  const changes = request.method() !== "GET" && !/\/(preview|test|plan|replay)$/.test(pathname);
  if (!changes) return route.continue();
  const error = { code: "VERSION_CONFLICT", message: "The test refuses it.", requestId: "r" };
  await route.fulfill({ status: 409, json: { success: false, error } });
}

/** The path of every page, with every existing id. */
async function pathsOf(scene: Scene): Promise<string[]> {
  const ids = await everyId(scene);
  const first = (param: string) => ids.get(param)?.[0] ?? "";
  const shown = new Proxy({} as Ids, {
    get: (_, name: string) =>
      first(name.replace(/^waiting(\w)/, (_all, letter: string) => letter.toLowerCase())),
  });
  const paths = shots.map(({ path }) => path(shown));
  const values = new Map([
    ...ids,
    ["actionName", web.actions.map(({ name }) => name)],
    ["noun", Object.values(nouns).map(({ noun }) => noun)],
  ]);
  for (const { path } of pages) {
    const params = [...path.matchAll(/:(\w+)/g)].map(([, param = ""]) => param);
    const filled = params.reduce(
      (sofar, param) =>
        sofar.flatMap((each) =>
          (values.get(param) ?? []).map((value) => each.replace(`:${param}`, value)),
        ),
      [path],
    );
    paths.push(...filled);
  }
  // The id in `/nouns/:noun/:id` must belong to the noun.
  for (const [param, list] of Object.entries(idLists)) {
    paths.push(`/nouns/${list.replace(".list", "")}/${first(param)}`);
  }
  return [...new Set(paths)];
}
