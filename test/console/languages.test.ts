// Tests the choice of language in a browser.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { templateOwner } from "../helpers/template-owner.ts";

test("the browser's language counts until a user chooses German, which is shown once its file can be loaded, and then English on the account page", async () => {
  const options = { path: "/services?status=HEALTHY", locale: "zh-CN" };
  const { page, expectAccessible, intercept } = await openConsole(await serveInProcess(), options);
  expectComplaint(/\b(401|403|503)\b|assets\/de-/);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  const language = () => page.evaluate("document.documentElement.lang");
  await heading("登录").waitFor();
  await expect.poll(() => language()).toBe("zh-Hans");

  const choice = page.getByLabel(/Language/);
  const stop = await intercept("**/assets/de-*.js", (route) => route.abort("failed"));
  const failed = page.waitForEvent("requestfailed");
  await choice.selectOption("Deutsch");
  await failed;
  await heading("Sign in").waitFor();
  await expect.poll(() => choice.inputValue()).toBe("en");
  stop();
  await page.reload();
  await heading("Anmelden").waitFor();
  await expect.poll(() => language()).toBe("de");
  await page.getByLabel("Benutzername", { exact: true }).fill(templateOwner.username);
  const password = page.getByLabel("Passwort", { exact: true });
  const signIn = page.getByRole("button", { name: "Anmelden", exact: true });
  await password.fill("the wrong password");
  await signIn.click();
  await page.getByRole("alert").getByText("Benutzername oder Passwort ist falsch").waitFor();
  await expect.poll(() => page.url()).toContain("/login?next=");
  await password.fill("");
  await expect.poll(() => isInMemory(page, "the wrong password")).toBe(false);
  // Messages of the server are shown by their code. The original text is among the details.
  const stopServices = await intercept("**/api/admin/capsule-services?**", (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, error: { code: "FORBIDDEN", message: "The test refuses it." } },
    }),
  );
  const stopReady = await intercept("**/api/system/ready", (route) =>
    route.fulfill({
      status: 503,
      json: { success: true, data: { ready: false, reason: "DISK_FULL", message: "It is full." } },
    }),
  );
  await password.fill(templateOwner.password);
  await signIn.click();
  await page.getByText("Der Datenträger der Datenbank ist voll.").waitFor();
  const refused = page
    .getByRole("alert")
    .filter({ hasText: "Dafür fehlt Ihnen die Berechtigung." });
  await refused.getByText("The test refuses it.").waitFor({ state: "attached" });
  stopServices();
  stopReady();
  await page.reload();

  await heading("Dienste").waitFor();
  await expect.poll(() => page.title()).toContain("Dienste");
  await expect.poll(() => page.url()).toMatch(/\/services\?status=HEALTHY$/);
  await page.getByText("Nichts passt zu diesen Filtern.").waitFor();
  await expectAccessible();

  await page.getByRole("button", { name: /^admin/ }).click();
  await page.getByRole("link", { name: "Ihr Konto" }).click();
  await heading("Ihr Konto").waitFor();
  await page.getByLabel("Sprache (Language)", { exact: true }).selectOption("English");
  await heading("Your account").waitFor();
  await expect.poll(() => language()).toMatch(/^en/);
});

/** Whether the memory of the page's scripts contains the text. */
async function isInMemory(page: Page, text: string): Promise<boolean> {
  const browser = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  browser.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await browser.send("HeapProfiler.collectGarbage");
  await browser.send("HeapProfiler.takeHeapSnapshot");
  // The snapshot does not contain the values of `FormData` objects.
  const { result } = await browser.send("Runtime.evaluate", { expression: "FormData.prototype" });
  const { objects } = await browser.send("Runtime.queryObjects", {
    prototypeObjectId: result.objectId ?? "",
  });
  const forms = await browser.send("Runtime.callFunctionOn", {
    objectId: objects.objectId ?? "",
    functionDeclaration: "function () { return JSON.stringify(this.map((form) => [...form])); }",
    returnByValue: true,
  });
  await browser.detach();
  if (typeof forms.result.value !== "string") throw new Error("The forms could not be read.");
  return `${chunks.join("")}${forms.result.value}`.includes(text);
}
