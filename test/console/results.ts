// What actions.test.ts checks of an agent's structured results: tables, facts, and the actions that
// they offer.

import { expect } from "vitest";
import { count } from "../../src/console/format/number.ts";
import type { Console } from "../helpers/browser/browser.ts";
import type { InProcessServer } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { size } from "../helpers/size.ts";
import { endCommands } from "./agents.ts";

type Outputs = Record<string, (payload: { page?: number; id?: string }) => unknown>;

type Service = Awaited<ReturnType<typeof startPool>>;

/** Starts an agent with one service, which returns `outputs`. */
async function startPool(server: InProcessServer) {
  const service = { code: "pool", name: "Pool", version: "1", actions };
  const agent = await registerAgent(server.url, await createToken(server), "pool-1", [service]);
  endCommands(agent, ({ type, action, payload }) => {
    const output = outputs[`${type === "ACTION_PREPARE" ? "prepare " : ""}${action}`];
    return { success: true, output: output?.(payload) ?? null };
  });
  const client = await operatorOf(server);
  const [pool] = await client.call("services.list", { query: { q: service.code } });
  return { client, path: `/services/${pool?.id}` };
}

const byId = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", title: "Account", placeholder: "account-1" },
    why: { type: "string", title: "Why", enum: ["a", "b"], enumLabels: ["Abuse", "Bankrupt"] },
  },
};

const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

/** Actions of a service that manages accounts. */
const actions = [
  { name: "diagnose", label: "Diagnose", category: "diagnostics", order: 20, prepare: false },
  { name: "accounts", label: "List accounts", category: "account", order: 10, prepare: false },
  { name: "plain", label: "Something else", prepare: false },
  {
    ...{ name: "remove", label: "Remove account", dangerLevel: "HIGH", category: "row-action" },
    inputSchema: byId,
  },
  { name: "show", label: "Show account", hidden: true, prepare: false, inputSchema: byId },
  { name: "evil", label: script, hidden: true, prepare: false },
];

const account = (id: string) => ({
  id,
  owner: { email: `${id}@example.com` },
  size: 2048,
  busy: id === "a-2",
  state: "HEALTHY",
  token: "hunter2",
  page: "/services/somewhere",
  site: "https://example.com/",
});

const outputs: Outputs = {
  accounts: ({ page = 1 }) => ({
    success: true,
    message: "2 of 3 accounts",
    data: {
      list: {
        title: "Accounts",
        data: page === 1 ? [account("a-1"), account("a-2")] : [account("a-3")],
        columns: [
          { key: "id", label: "Account", format: "code", copyable: true },
          { key: "owner.email", label: "Owner" },
          { key: "size", label: "Size", format: "bytes" },
          { key: "busy", label: "Busy", format: "boolean" },
          { key: "state", label: "State", format: "status" },
          { key: "token", label: "Token", format: "code", copyable: true },
          { key: "page", label: "Page", type: "link" },
          { key: "site", label: "Site", type: "link" },
        ],
        rowActions: [
          { action: "remove", label: "Remove", payload: removal },
          { action: "show", label: "Show", payload: { id: "$row.id" } },
          { action: "gone", label: "Gone" },
        ],
        pageActions: [{ action: "accounts", label: "Next page", payload: { page: page + 1 } }],
        ...{ page, pageSize: 2, total: 3 },
      },
    },
  }),
  show: ({ id = "" }) => ({
    detail: {
      data: account(id),
      fields: [{ key: "owner.email", label: "Owner" }],
      actions: [{ action: "remove", label: "Remove it", payload: { id: "$row.id" } }],
    },
  }),
  "prepare remove": () => ({ initialPayload: { id: "", why: "b" } }),
  remove: ({ id }) => ({ removed: id }),
  evil: () => hostile(),
};

const removal = {
  id: "$row.id",
  token: "$row.token",
  __detail: { title: "About to remove", data: { owner: "$row.owner.email" } },
};

/** `npm run test:long` uses a result of 12 MB, which can make the server too busy to be ready. */
export async function useResults(server: InProcessServer, console: Console): Promise<void> {
  console.expectComplaint(/\b503\b.*\/api\/system\/ready/);
  const service = await startPool(server);
  await followOffers(service, console);
  await showHostile(service, console);
}

async function followOffers({ client, path }: Service, opened: Console): Promise<void> {
  const { page, button, visit, expectAccessible } = opened;

  await visit(path);
  await expect
    .poll(() => page.locator(".service-actions h3").allTextContents())
    .toEqual(["account", "diagnostics", "Other"]);
  await expect.poll(() => page.getByText("Remove account").count()).toBe(0);

  await page.getByRole("link", { name: "Run List accounts" }).click();
  await button("Run List accounts").click();
  const table = page.getByRole("region", { name: "Table: Accounts" });
  await table.waitFor();
  const resultPath = new URL(page.url()).pathname;
  await page.getByText("2 of 3 accounts").waitFor();
  await page.getByText("Rows 1 to 2 of 3").waitFor();
  const second = table.getByRole("row").nth(2);
  const cells = ["a-2", "a-2@example.com", "2.0 KiB", "Yes", "HEALTHY", "hidden"];
  for (const [at, text] of cells.entries()) {
    const cell = second.getByRole("cell").nth(at);
    await expect.poll(async () => (await cell.textContent())?.trim()).toBe(text);
  }
  await expect
    .poll(() => second.getByRole("link", { name: "/services/somewhere" }).count())
    .toBe(1);
  await expect.poll(() => page.locator("a[href*='example.com']").count()).toBe(0);
  await expect.poll(() => second.getByRole("button", { name: "Gone" }).isDisabled()).toBe(true);
  await expectAccessible();

  await second.getByRole("link", { name: "Remove: a-2" }).click();
  await page.getByText("About to remove").waitFor();
  const field = page.getByRole("textbox", { name: "Account" });
  await expect.poll(() => field.inputValue()).toBe("a-2");
  await expect.poll(() => field.getAttribute("placeholder")).toBe("account-1");
  await expect
    .poll(() => page.getByLabel("Why").locator(":checked").textContent())
    .toBe("Bankrupt");
  await page.getByText("Some fields are filled in from the result of").waitFor();
  await button("Run Remove account").click();
  const dialog = page.getByRole("dialog", { name: "Run Remove account?" });
  await dialog.getByLabel("Type the code pool to confirm").fill("pool");
  await button("Run action").click();
  await page.getByText("removed").waitFor();
  const [removed] = await client.call("commands.list", { query: { action: "remove" } });
  const sent = await client.call("commands.get", { params: { commandId: removed?.id ?? "" } });
  expect(sent.payload).toEqual({ id: "a-2", why: "b" });

  await visit(resultPath);
  await page.getByRole("link", { name: "Next page" }).click();
  await button("Run List accounts").click();
  await page.getByText("Rows 3 to 3 of 3").waitFor();
  await page.getByRole("link", { name: "Show: a-3" }).click();
  await button("Run Show account").click();
  await page.locator(".result-detail").getByText("a-3@example.com").waitFor();
  await page.getByRole("link", { name: "Remove it" }).click();
  await expect.poll(() => field.inputValue()).toBe("a-3");

  await expectNothingFilled(opened, resultPath, path);
}

/** An address may name a command of another service, another action, or no command at all. */
async function expectNothingFilled(
  { page, visit, expectComplaint }: Console,
  resultPath: string,
  path: string,
): Promise<void> {
  expectComplaint(/\b404\b/);
  const offers = [
    `from=${resultPath.split("/").at(-1)}&offer=row-0-7`,
    "from=cmd_01K00000000000000000000000&offer=row-0-0",
  ];
  for (const offer of offers) {
    await visit(`${path}/actions/remove?${offer}`);
    await page.getByText("can no longer be read").waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: "Account" }).inputValue()).toBe("");
  }
}

const columns = size(100, 10_000);
const moreRows = size(100, 150_000);

const hostile = () => ({
  list: {
    title: script,
    columns: [
      { key: "name", label: script },
      { key: "js", type: "link" },
      { key: "outside", type: "link", copyable: true },
      { key: "__proto__" },
      { key: "constructor.name" },
      { key: "long", type: "code" },
      ...Array.from({ length: columns }, (_, n) => ({ key: `c${n}` })),
    ],
    rows: [
      {
        name: script,
        js: "javascript:window.hacked=1",
        outside: "//example.com/x",
        long: "x".repeat(size(50_000, 5_000_000)),
      },
      ...Array.from({ length: moreRows }, (_, n) => ({ name: n, status: "\u202e" })),
    ],
    rowActions: [
      { action: "evil", label: script, payload: { "$row.name": "$row.__proto__" } },
      { action: "../../users", label: "Users" },
    ],
    pageActions: [{ action: "evil", label: "x".repeat(200) }],
  },
  detail: {
    title: "x".repeat(200),
    data: { [script]: "x".repeat(900) },
    fields: [{ key: script, type: "status" }],
  },
  href: "javascript:window.hacked=1",
});

/** The result of a hostile agent is text, and the page stays responsive. */
async function showHostile({ client, path }: Service, opened: Console): Promise<void> {
  const { command } = await client.call("actions.execute", {
    params: { serviceId: path.split("/").at(-1) ?? "", actionName: "evil" },
    body: {},
  });
  const { page, button, visit } = opened;
  await visit(`/commands/${command!.id}`);
  await page.getByText(`The JSON view has ${count(columns - 44)} more columns.`).waitFor();
  // The actions appear when the page knows which ones the service declares.
  await expect.poll(() => page.getByRole("columnheader").count()).toBe(51);
  const rows = page.locator(".result-list tbody tr");
  // 51 columns: 2000 cells.
  await expect.poll(() => rows.count()).toBe(39);
  await page.getByText(`Rows 1 to 39 of ${count(moreRows + 1)}`).waitFor();
  await expect.poll(() => page.locator(".result-list *").count()).toBeLessThan(10_000);
  const links = page.locator(".result-list a");
  await expect.poll(() => links.count()).toBe(40);
  const ours = page.locator(`.result-list a[href^="${path}/actions/evil?from="]`);
  await expect.poll(() => ours.count()).toBe(40);
  await expect.poll(() => page.evaluate("window.hacked")).toBeUndefined();
  await expect.poll(() => page.locator("img").count()).toBe(0);

  await button("Next page").click();
  await page.getByText(`Rows 40 to 78 of ${count(moreRows + 1)}`).waitFor();
  await expect.poll(() => rows.count()).toBe(39);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth > innerWidth"))
    .toBe(false);
}
