// Rows of lists: many can be selected, and a click opens one.

import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";

const actions = [
  { name: "restart", label: "Restart", prepare: false },
  { name: "wipe", label: "Wipe", prepare: false, dangerLevel: "HIGH" },
];

async function startFleet() {
  const server = await serveConsole();
  const operator = await operatorOf(server);
  for (const name of ["north", "south", "west"]) {
    const { token } = await operator.call("registration-tokens.create", { body: {} });
    const service = { code: `web-${name}`, name: `Web ${name}`, version: "1", actions };
    await registerAgent(server.url, token, name, [service]);
  }
  return { server, operator };
}

const fleet = perFile(startFleet);

test("an operator runs an action on selected services, and cancels and retries its commands", async () => {
  const { server, operator } = fleet();
  const { page, button, dialog, expectAccessible } = await openConsole(server, {
    path: "/services?page=99&sort=code",
    as: owner,
  });
  // The address had a page that does not exist.
  await page.getByText("1–3 of 3").waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe("?sort=code");
  await page.getByRole("checkbox", { name: "Select web-north" }).check();
  await page.getByRole("checkbox", { name: "Select web-west" }).check();
  await page.getByText("2 selected").waitFor();
  await expectAccessible("list");
  await page.getByRole("link", { name: "Run an action on these 2 services" }).click();
  const codes = page.getByRole("textbox", { name: "Service codes" });
  await expect.poll(() => codes.inputValue()).toBe("web-north,web-west");

  const { data } = await operator.page("services.list", { query: { sort: "code" } });
  for (const { id: serviceId } of data) {
    const params = { serviceId, actionName: "restart" };
    await operator.call("actions.execute", { params, body: {} });
  }
  await page.goto("/commands");
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await page.getByText("3 selected").waitFor();
  await button("Cancel command").click();
  await dialog.getByLabel("Type the number, 3, to confirm").fill("3");
  await expectAccessible();
  await button("Cancel command", dialog).click();
  await page.getByText("Cancel command: 3 done.").waitFor();
  await expect.poll(() => page.getByRole("cell", { name: "CANCELLED" }).count()).toBe(3);

  await page
    .getByRole("checkbox", { name: /^Select / })
    .nth(1)
    .check();
  await button("Run again").click();
  await dialog.getByLabel("Type the number, 1, to confirm").fill("1");
  await button("Run again", dialog).click();
  await page.getByText("Run again: 1 done.").waitFor();
  await expect.poll(() => page.getByRole("cell", { name: "PENDING" }).count()).toBe(1);
});

test.each([1440, 390])("selecting a row at %i px moves no row", async (width) => {
  const { server } = fleet();
  const { page, button } = await openConsole(server, {
    ...{ path: "/services?sort=code", as: owner, width },
  });
  const rows = page.locator("tbody tr");
  const tops = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
  await rows.nth(2).waitFor();
  // The page may still be moving, for example because its fonts arrive.
  let before = await tops();
  await expect
    .poll(async () => {
      const last = before;
      before = await tops();
      return before.length === 3 && before.every((top, at) => top === last[at]);
    })
    .toBe(true);
  await page.getByRole("checkbox", { name: "Select web-north" }).check();
  await page.getByText("1 selected").waitFor();
  await expect.poll(tops).toEqual(before);
  const colour = (at: number) =>
    rows.nth(at).evaluate((row) => getComputedStyle(row).backgroundColor);
  await expect.poll(async () => (await colour(0)) === (await colour(2))).toBe(false);
  await page.getByRole("checkbox", { name: "Select web-south" }).check();
  await page.getByText("2 selected").waitFor();
  await expect.poll(tops).toEqual(before);
  await button("Clear the selection").click();
  await page.getByText("2 selected").waitFor({ state: "hidden" });
  await expect.poll(tops).toEqual(before);
});

test("the rows that refuse an act are listed, and the others are done", async () => {
  expectComplaint(/\b404\b/);
  const { server, operator } = fleet();
  await addUser(server, viewer);
  const { page, button, dialog } = await openConsole(server, {
    path: "/agents?sort=code",
    as: owner,
  });
  await page.getByRole("checkbox", { name: "Select all rows of this page" }).check();
  await page.getByRole("checkbox", { name: "Select west" }).uncheck();
  await button("Disable").click();
  await dialog.getByText("north, south").waitFor();
  await dialog.getByLabel("Type the number, 2, to confirm").fill("2");
  // Meanwhile, somebody else deletes one of them.
  const [south] = await operator.call("agents.list", { query: { q: "south" } });
  const params = { agentId: south?.id ?? "" };
  await operator.call("agents.revoke-token", { params });
  await operator.call("agents.delete", { params });
  await button("Disable", dialog).click();
  await dialog.getByText(/^south: There is no agent/).waitFor();
  await button("Close", dialog).first().click();
  await expect.poll(() => page.getByRole("cell", { name: "DISABLED" }).count()).toBe(1);

  // A click anywhere in a row opens it.
  await page.getByRole("row", { name: /west/ }).getByText("ONLINE").click();
  await page.getByRole("heading", { level: 1, name: "west" }).waitFor();

  const { page: other } = await openConsole(server, { path: "/agents", as: viewer });
  await other.getByRole("link", { name: "west", exact: true }).waitFor();
  await expect.poll(() => other.getByRole("checkbox", { name: /^Select/ }).count()).toBe(0);
});

test("rows of commands and agents have buttons for what is done often", async () => {
  const { server, operator } = await startFleet();
  await addUser(server, viewer);
  const { data } = await operator.page("services.list", { query: { q: "web-north" } });
  const params = { serviceId: data[0]?.id ?? "", actionName: "restart" };
  await operator.call("actions.execute", { params, body: {} });
  const { page, goto, button, dialog, expectAccessible } = await openConsole(server, {
    ...{ path: "/commands", as: owner, width: 1440 },
  });
  await page.getByRole("button", { name: /^Cancel command ./ }).click();
  await button("Cancel command", dialog).click();
  await page.getByRole("cell", { name: "CANCELLED" }).waitFor();
  await button("Run again restart · web-north").click();
  await button("Run again", dialog).click();
  await expect.poll(() => page.getByRole("row").count()).toBe(3);
  // In a row, too, a dangerous action asks for the code of its service.
  const [west] = await operator.call("services.list", { query: { q: "web-west" } });
  const { command } = await operator.call("actions.execute", {
    params: { serviceId: west?.id ?? "", actionName: "wipe" },
    body: { confirmation: true },
  });
  await operator.call("commands.cancel", { params: { commandId: command?.id ?? "" } });
  await button("Run again wipe · web-west").click();
  await dialog.getByText("HIGH danger").waitFor();
  await expect.poll(() => button("Run again", dialog).isDisabled()).toBe(true);
  await dialog.getByLabel("web-west", { exact: false }).fill("web-west");
  await expectAccessible();
  await button("Run again", dialog).click();
  await expect.poll(() => page.getByRole("row").count()).toBe(5);

  await goto("/agents");
  const row = page.getByRole("row", { name: /south/ });
  await expect.poll(() => row.getByRole("button").allInnerTexts()).toEqual(["Disable"]);
  await button("Disable south").click();
  await button("Disable", dialog).click();
  await row.getByText("DISABLED", { exact: true }).waitFor();
  await button("Enable south").click();
  await button("Enable", dialog).click();
  await row.getByText("ONLINE", { exact: true }).waitFor();
  await expect.poll(() => row.getByRole("cell", { name: "1", exact: true }).count()).toBe(1);

  const onlooker = await openConsole(server, { path: "/agents", as: viewer });
  await onlooker.page.getByRole("row", { name: /south/ }).waitFor();
  await expect.poll(() => onlooker.page.locator("tbody").getByRole("button").count()).toBe(0);
});
