// Tests lists in the console that are too long for numbered pages.

import { expect, test } from "vitest";
import { openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { owner } from "../helpers/session.ts";
import { generateLists, stepMs } from "../store/generated-lists.ts";

test("every row of a list of more than 10,000 can be reached, and a shorter retention says how many rows it deletes", async () => {
  const server = await serveConsole();
  await generateLists(server, { auditEvents: 10_500, commands: 10, busEvents: 1 });
  const console = await openConsole(server, {
    path: "/audit?action=user.*&targetType=service",
    as: owner,
  });
  const { page, dialog, button } = console;

  // A search that finds nothing resumes exactly where it stopped, not at the start of that minute.
  const rare = page.getByRole("button", { name: "user.created: details" });
  const nothing = page.getByText("Nothing found back to");
  for (let searches = 0; (await rare.count()) === 0; searches++) {
    expect(searches).toBeLessThan(6);
    await nothing.waitFor();
    const [shown] = await nothing.allInnerTexts();
    await button("Show older").click();
    // The page shows the previous search until it has the response.
    const isNext = async () => {
      const [now = shown] = await nothing.allInnerTexts();
      return now !== shown || (await rare.count()) > 0;
    };
    await expect.poll(isNext).toBe(true);
  }
  const all = 5; // 14, 35, 56, 77, 98: the oldest
  await expect.poll(() => rare.count()).toBe(all);
  await page.getByText(new RegExp(`of ${all}$`)).waitFor();
  await button("Back to newest").click();
  await nothing.waitFor();

  // Numbered pages end at 10,000 rows. The list continues with the next row.
  await console.goto("/audit?page=500&pageSize=20");
  const times = page.locator("tbody time");
  await expect.poll(() => times.count()).toBe(20);
  const last = Date.parse((await times.last().getAttribute("datetime")) ?? "");
  await button("Show older").click();
  await page.waitForURL(/before=/);
  const next = new Date(last - stepMs).toISOString();
  await expect.poll(() => times.first().getAttribute("datetime")).toBe(next);

  // The confirmation of a shorter retention also counts PREPARE commands.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Days to keep commands").fill("1");
  await button("Save").click();
  await dialog.getByText("This currently affects 10 commands.").waitFor();
});
