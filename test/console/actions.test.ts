// Runs actions in the console against a real server and agent.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Console, expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createToken, operatorOf } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { addUser, owner, viewer } from "../helpers/session.ts";
import { endCommands } from "./agents.ts";
import { focused } from "./focused.ts";
import { useResults } from "./results.ts";

const form = {
  inputSchema: {
    type: "object",
    required: ["order", "box"],
    additionalProperties: false,
    properties: {
      order: { type: "integer", title: "Order", minimum: 1, description: "Its number." },
      box: { type: "string", title: "Box", enum: ["small", "large"], default: "small" },
      code: { type: "string", title: "Code", pattern: "^([A-Z]+)$" },
      pin: { type: "string", title: "PIN", format: "password" },
      apiKey: { type: "string", title: "API key" },
      due: { type: "string", title: "Due", format: "date-time" },
    },
  },
  initialPayload: { order: 0, code: "abc" },
  currentState: { waiting: 3, orders: [{ order: 5, state: "open" }] },
};

const packed = [
  { order: 7, state: "packed" },
  { order: 8, state: "open" },
];

const text = { type: "string" };

const way = (kind: string, title: string, field: string, label: string) => ({
  title,
  properties: { kind: { const: kind }, [field]: { ...text, title: label } },
  required: ["kind", field],
});

/** A schema with every kind of field that has several controls. */
const route = {
  type: "object",
  required: ["mode"],
  properties: {
    way: {
      title: "Way",
      oneOf: [way("post", "By post", "office", "Office"), way("car", "By car", "phone", "Phone")],
    },
    stops: { title: "Stops", items: text },
    notes: { title: "Notes", type: "object", additionalProperties: text },
    limits: {
      title: "Limits",
      type: "object",
      additionalProperties: {
        oneOf: [
          { title: "Text", type: "string" },
          { title: "Number", type: "integer" },
        ],
      },
    },
    days: { title: "Days", items: { enum: ["mon", "tue", "wed"] }, uniqueItems: true },
    slot: {
      title: "Slot",
      oneOf: [
        {
          title: "Daily",
          properties: { at: text },
          required: ["at"],
          additionalProperties: false,
        },
        { title: "Weekly", properties: { at: text, day: text }, required: ["at", "day"] },
      ],
    },
    mode: { title: "Mode", enum: ["plain", "timed"], default: "plain" },
    raw: { title: "Raw", type: "object" },
  },
  if: { properties: { mode: { const: "timed" } } },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema has this keyword
  then: { properties: { hour: { title: "Hour", type: "integer" } }, required: ["hour"] },
};

const actions = [
  { name: "pack", label: "Pack an order", dangerLevel: "HIGH", requiresConfirmation: true },
  { name: "make-key", label: "Make a key", prepare: false },
  { name: "slow", label: "Work slowly", prepare: false },
  { name: "broken", label: "Break" },
  { name: "route", label: "Plan a route", prepare: false, inputSchema: route },
];

const failure = (message: string) => ({
  ...{ success: false, error: { code: "PROGRAM_FAILED", message } },
});

/** What the agent answers. It never ends `slow`. */
const results: Record<string, object> = {
  "prepare pack": { success: true, output: form },
  pack: { success: true, output: packed },
  "make-key": { success: true, output: { generatedKey: "k3y-for-once", n: 1 } },
  "prepare broken": failure("the database is away"),
  broken: failure("exit status 1"),
  route: { success: true, output: "planned" },
};

async function startWarehouse() {
  const server = await serveInProcess({ PLATFORM_COMMAND_RESULT_MAX_BYTES: "12000000" });
  await addUser(server, viewer);
  const services = [{ code: "warehouse", name: "warehouse", version: "1", actions }];
  const agent = await registerAgent(server.url, await createToken(server), "warehouse-1", services);
  endCommands(
    agent,
    ({ type, action }) => results[type === "ACTION_PREPARE" ? `prepare ${action}` : action],
  );
  const { data } = await (await operatorOf(server)).page("services.list");
  return { server, path: (action: string) => `/services/${data[0]?.id}/actions/${action}` };
}

const step = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });
const status = (page: Page, name: string) =>
  page.locator(".page-heading").getByText(name).waitFor();

test("an owner fills in forms, and runs actions with the mouse or only the keyboard; rows, pages and facts offer actions, and a hostile result is text; a viewer cannot run any", async () => {
  expectComplaint(/\b(422|502)\b/);
  const warehouse = await startWarehouse();
  const path = warehouse.path("pack");
  const console = await openConsole(warehouse.server, { path, width: 390, as: owner });
  await withKeyboard(console);
  await console.page.setViewportSize({ width: 1280, height: 800 });
  await planRoute(warehouse, console);
  const ofSecret = await withMouse(warehouse, console);
  await useResults(warehouse.server, console);
  await console.gotoAs(viewer, ofSecret);
  await asViewer(console);
});

type Warehouse = Awaited<ReturnType<typeof startWarehouse>>;

/** A form has alternatives, lists, keys that are data, and fields that depend on others. */
async function planRoute({ server, path }: Warehouse, console: Console): Promise<void> {
  const { page, button, visit, expectAccessible } = console;
  await visit(path("route"));
  const run = button("Run Plan a route");
  await page.getByLabel("Way: Kind").selectOption("By post");
  await page.getByLabel("Office").fill("Berlin");
  await page.getByLabel("Way: Kind").selectOption("By car");
  await expect.poll(() => page.getByLabel("Office").count()).toBe(0);
  for (const [index, stop] of ["a", "b", "c"].entries()) {
    await button("Add to Stops").click();
    await expect.poll(() => focused(page)).toBe(`Stops-${index + 1} required`);
    await page.keyboard.type(stop);
  }
  await button("Move item 3 up").click();
  await button("Remove item 1").click();
  await expect.poll(() => focused(page)).toBe("Remove item 1");
  await button("Add a field to Notes").click();
  await expect.poll(() => focused(page)).toBe("Name of key1");
  await page.getByLabel(/^key1/).fill("red");
  await page.getByLabel("Name of key1").fill("colour");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("colour required");
  await page.getByLabel(/^colour/).fill("blue");
  // Each field keeps its kind when another one is removed.
  for (const [key, kind] of [
    ["key1", "Number"],
    ["key2", "Text"],
  ] as const) {
    await button("Add a field to Limits").click();
    await page.getByLabel(`${key}: Kind`).selectOption(kind);
  }
  await button("Remove key1").click();
  const kind = page.getByLabel("key2: Kind").locator(":checked");
  await expect.poll(() => kind.textContent()).toBe("Text");
  await page.getByRole("textbox", { name: /^key2/ }).fill("x");
  await page.getByLabel("wed").check();
  await page.getByLabel("mon").check();
  await page.getByLabel("Slot: Kind").selectOption("Weekly");
  await page.getByLabel(/^at/).fill("noon");
  await page.getByText("This part can only be entered as JSON.").waitFor();
  await page.getByLabel("Mode").selectOption("timed");
  await run.click();
  await page.getByText("Way, Phone: This is required.").waitFor();
  await page.getByText("Slot, day: This is required.").waitFor();
  await page.getByText("Hour: This is required.").waitFor();
  await expect.poll(() => focused(page)).toBe("Phone required");
  await expectAccessible();
  await page.getByLabel("Phone").fill("110");
  await page.getByLabel(/^day/).fill("mon");
  await page.getByLabel("Hour").fill("7");
  await run.click();
  await status(page, "SUCCEEDED");
  const operator = await operatorOf(server);
  const [command] = (await operator.page("commands.list")).data;
  const params = { commandId: command?.id ?? "" };
  expect((await operator.call("commands.get", { params })).payload).toEqual({
    way: { kind: "car", phone: "110" },
    stops: ["c", "b"],
    notes: { colour: "blue" },
    limits: { key2: "x" },
    days: ["mon", "wed"],
    slot: { at: "noon", day: "mon" },
    mode: "timed",
    hour: 7,
  });
}

/** Returns the path of the command whose secret was shown once. */
async function withMouse({ path }: Warehouse, console: Console): Promise<string> {
  const { page, button, visit, expectAccessible } = console;
  const runs: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && pathname.endsWith("/actions/pack")) runs.push(pathname);
  });

  // Errors from the server also appear at their fields.
  await visit(path("pack"));
  await page
    .getByRole("region", { name: "orders" })
    .or(page.getByText("waiting"))
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "Order" }).fill("7");
  // A secret is recognized by its mark or its name.
  for (const [label, secret] of [
    ["PIN", "1234"],
    ["API key", "k-5678"],
  ] as const) {
    const field = page.getByLabel(label);
    await field.fill(secret);
    await expect.poll(() => field.getAttribute("type")).toBe("password");
  }
  await expectAccessible("narrow");
  await button("JSON").last().click();
  const text = page.getByRole("textbox", { name: "Payload" });
  const payload = {
    ...{ order: 7, code: "abc", box: "small", pin: "•••••• 1", apiKey: "•••••• 2" },
  };
  await expect.poll(async () => JSON.parse(await text.inputValue())).toEqual(payload);
  await page.getByText("Each •••••• represents a secret").waitFor();
  await text.fill(JSON.stringify({ ...payload, box: "large" }));
  await button("Form").click();
  await expect.poll(() => page.getByLabel("Box").locator(":checked").textContent()).toBe("large");

  await button("Run Pack an order").click();
  const dialog = page.getByRole("dialog", { name: "Run Pack an order?" });
  await dialog.getByText("on the service warehouse").waitFor();
  await expect.poll(() => dialog.textContent()).not.toMatch(/1234|5678/);
  await dialog.getByLabel("Type the code warehouse to confirm").fill("warehouse");
  await button("Run action").click();
  await page.getByText("This does not match the pattern.", { exact: true }).waitFor();
  await page.getByLabel("Code").fill("ABC");
  await page.getByLabel("Reason").fill("spring sale");
  await button("Run Pack an order").click();
  await dialog.getByLabel("Type the code warehouse to confirm").fill("warehouse");
  // The second click comes before the page can show the effect of the first. The command's page
  // opens even if the action is being prepared again.
  const again = await button("Prepare again").elementHandle();
  await button("Run action").evaluate((run: HTMLButtonElement, prepareAgain) => {
    run.click();
    run.click();
    (prepareAgain as HTMLButtonElement | null)?.click();
  }, again);
  await status(page, "SUCCEEDED");
  await page.getByRole("cell", { name: "packed" }).waitFor();
  await step(page, "Delivered to the agent").waitFor();
  await page.getByText("spring sale").first().waitFor();
  // The server rejected the payload of the first run.
  expect(runs).toHaveLength(2);

  await visit(path("broken"));
  await page.getByText("the database is away").waitFor();
  await page.getByText("PROGRAM_FAILED").waitFor();
  await button("Continue without preparing").click();
  await button("Run Break").click();
  await status(page, "FAILED");
  await button("Run again").click();
  for (const text of ["PROGRAM_FAILED", "LOW danger", "The payload is empty."]) {
    await page.getByRole("dialog", { name: "Run Break again?" }).getByText(text).waitFor();
  }

  await visit(path("make-key"));
  await page.getByText("This action declares no fields.").waitFor();
  await button("Run Make a key").click();
  const secret = page.getByText("k3y-for-once");
  await secret.waitFor();
  await step(page, "Succeeded").waitFor();
  const ofSecret = new URL(page.url()).pathname;
  await page.reload();
  await page.getByText("It was already shown").waitFor();
  await expect.poll(() => secret.count()).toBe(0);

  await visit(path("slow"));
  await button("Run Work slowly").click();
  await page.getByText("warehouse-1 is running the command").waitFor();
  await button("Cancel command").click();
  await page.getByText("may still finish it").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel command" }).click();
  await status(page, "CANCELLED");
  await page.getByText("The command was cancelled while it ran").waitFor();
  await button("Run again").waitFor();
  return ofSecret;
}

async function asViewer({ page, button, dialog }: Console): Promise<void> {
  await status(page, "SUCCEEDED");
  await page.getByText("Only operators and owners can see it.").waitFor();
  await expect.poll(() => button("Run again").count()).toBe(0);
  // The search finds neither actions nor pages that the role does not permit.
  await page.keyboard.press("Control+k");
  for (const text of ["pack warehouse", "users"]) {
    await dialog.getByRole("combobox").fill(text);
    await dialog.getByText("Nothing found.").waitFor();
  }
  await dialog.getByRole("combobox").fill("commands");
  await dialog
    .getByRole("option", { name: /Commands/ })
    .first()
    .waitFor();
}

async function withKeyboard({ page, button }: Console): Promise<void> {
  await button("Run Pack an order").waitFor();
  const { keyboard } = page;
  const nameOf = () => focused(page);
  const goTo = async (name: string) => {
    for (let step = 0; step < 40; step++) {
      if ((await nameOf()).startsWith(name)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`the Tab key does not lead to ${name}`);
  };

  await goTo("Order");
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type("1");
  await goTo("Code");
  await keyboard.type("A");
  await goTo("Due");
  await keyboard.type("11");
  await goTo("Run Pack an order");
  await keyboard.press("Enter");
  await page.getByText("This date is incomplete").waitFor();
  await expect.poll(nameOf).toBe("Due");
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await keyboard.press("ControlOrMeta+a");
  await keyboard.press("Delete");
  await goTo("Run Pack an order");
  await keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await goTo("Type the code warehouse to confirm");
  await keyboard.type("warehouse");
  await keyboard.press("Enter");
  await status(page, "SUCCEEDED");
  await step(page, "Succeeded").waitFor();
  await expect.poll(nameOf).toBe("pack on warehouse");
  for (const value of ["A", "1"]) await page.getByText(value, { exact: true }).first().waitFor();
}
