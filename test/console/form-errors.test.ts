// A form shows all its errors at once, begins with the first, and each goes when its field is edited.

import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { owner } from "../helpers/session.ts";
import { focused } from "./focused.ts";

const withBus = perFile(() => serveConsole({ PLATFORM_CAPSULE_BUS_ENABLED: "true" }));

test("a dialog names all missing values, and then what the server refuses", async () => {
  expectComplaint(/\b422\b/);
  const { page, button, dialog, expectAccessible } = await openConsole(withBus(), {
    ...{ path: "/users", as: owner },
  });
  await button("Create user").click();
  const errors = dialog.locator(".field-error");
  await button("Create", dialog).click();
  await expect.poll(() => errors.allInnerTexts()).toEqual(Array(2).fill("Fill in this field."));
  const username = dialog.getByLabel(/^Username/);
  const password = dialog.getByLabel(/^Password/);
  const hasFocus = (field: typeof username) =>
    field.evaluate((el) => el === document.activeElement);
  await expect.poll(() => hasFocus(username)).toBe(true);
  await expectAccessible();
  await username.pressSequentially("ada");
  await expect.poll(() => errors.count()).toBe(1);
  await expect.poll(() => hasFocus(username)).toBe(true);
  await password.fill("short");
  await expect.poll(() => errors.count()).toBe(0);
  await page.keyboard.press("Enter");
  await errors.first().waitFor();
  await expect.poll(() => errors.allInnerTexts()).toEqual(["Must have 12 to 128 characters."]);
  await expect.poll(() => password.getAttribute("aria-invalid")).toBe("true");
  const refused = page.waitForResponse((reply) => reply.status() === 422);
  await button("Create", dialog).focus();
  await page.keyboard.press("Enter");
  await refused;
  await expect.poll(() => hasFocus(password)).toBe(true);
  await errors.first().waitFor();
  await password.fill("long enough for everybody");
  await expect.poll(() => errors.count()).toBe(0);
  await button("Create", dialog).click();
  await page.getByRole("row", { name: /ada/ }).waitFor();
});

test("the form of a route begins with its first error", async () => {
  expectComplaint(/\b422\b/);
  const { page, button } = await openConsole(withBus(), { path: "/bus/routes/new", as: owner });
  await button("Save").click();
  const name = page.getByLabel(/^Name/);
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  const errors = page.locator(".field-error");
  await expect.poll(() => errors.count()).toBeGreaterThan(1);
  const before = await errors.count();
  await expect.poll(() => focused(page)).toMatch(/Name|^$/);
  await expect
    .poll(() => page.locator(".field-error").first().innerText())
    .not.toMatch(/expected|string/);
  await page.keyboard.type("first");
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe(null);
  await expect.poll(() => page.locator(".field-error").count()).toBe(before - 1);
  await expect.poll(() => name.inputValue()).toBe("first");
});

test("an empty schedule names everything that is missing, and begins with the first", async () => {
  const { page, button, expectAccessible } = await openConsole(withBus(), {
    ...{ path: "/schedules/new", as: owner },
  });
  await page.getByLabel("Cron expression").waitFor();
  await button("Save schedule").click();
  const missing = page.locator(".field", { hasText: "Fill in this field." }).locator("label");
  await expect
    .poll(() => missing.allInnerTexts())
    .toEqual([
      ...["Name", "Cron expression", "Service", "Action"].map((name) =>
        expect.stringMatching(new RegExp(`^${name}`)),
      ),
    ]);
  await expect.poll(() => focused(page)).toMatch(/^Name/);
  await page.getByText("Some fields have errors. Correct them first.").waitFor();
  await expectAccessible();
  await page.keyboard.type("nightly");
  await expect.poll(() => missing.count()).toBe(3);
});
