// Tests the choice of language in a browser.

import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { createToken } from "../helpers/process/operator.ts";
import { registerAgent } from "../helpers/process/process.ts";
import { owner } from "../helpers/session.ts";
import { templateOwner } from "../helpers/template-owner.ts";

test("a user chooses German before signing in, unless its file cannot be loaded, returns to the requested page, and chooses English on the account page", async () => {
  const wanted = "/services?status=HEALTHY";
  const { page, expectAccessible } = await openConsole(await serveConsole(), { path: wanted });
  expectComplaint(/\b401\b|assets\/de-/);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  const language = () => page.evaluate("document.documentElement.lang");
  await heading("Sign in").waitFor();
  await expect.poll(() => language()).toBe("en-GB");

  const choice = page.getByLabel("Language", { exact: true });
  await page.route("**/assets/de-*.js", (route) => route.abort("failed"));
  const failed = page.waitForEvent("requestfailed");
  await choice.selectOption("Deutsch");
  await failed;
  await heading("Sign in").waitFor();
  await expect.poll(() => choice.inputValue()).toBe("en");
  await expect.poll(() => language()).toBe("en-GB");
  await page.unroute("**/assets/de-*.js");
  await page.reload();
  await heading("Anmelden").waitFor();
  await expect.poll(() => language()).toBe("de");
  await expectAccessible();
  await page.getByLabel("Benutzername", { exact: true }).fill(templateOwner.username);
  const password = page.getByLabel("Passwort", { exact: true });
  const signIn = page.getByRole("button", { name: "Anmelden", exact: true });
  await password.fill("the wrong password");
  await signIn.click();
  await page.getByRole("alert").getByText("Benutzername oder Passwort ist falsch").waitFor();
  await expect.poll(() => page.url()).toContain("/login?next=");
  await password.fill(templateOwner.password);
  await signIn.click();

  await heading("Dienste").waitFor();
  await expect.poll(() => page.title()).toContain("Dienste");
  await expect.poll(() => page.url()).toMatch(/\/services\?status=HEALTHY$/);
  await page.getByText("Nichts passt zu diesen Filtern.").waitFor();
  await expectAccessible();

  await page.getByRole("link", { name: /^admin/ }).click();
  await heading("Ihr Konto").waitFor();
  await expectAccessible();
  await page.getByLabel("Sprache (Language)", { exact: true }).selectOption("English");
  await heading("Your account").waitFor();
  await expect.poll(() => language()).toBe("en-GB");
});

test("the browser's language counts until the user chooses one, and Chinese fits a phone", async () => {
  const server = await serveConsole();
  const service = { code: "web-1", name: "Web shop", version: "2.1.0" };
  const sick = { ...service, health: { status: "DOWN", message: "port 8080 is closed" } };
  const well = { ...service, code: "db-1", healthStatus: "UP" };
  await registerAgent(server.url, await createToken(server), "edge-1", [sick, well]);
  const { page, goto, expectAccessible } = await openConsole(server, {
    ...{ locale: "zh-CN", width: 390, as: owner },
  });
  const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  await heading("概览").waitFor();
  await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe("zh-Hans");
  const group = page.getByRole("listitem", { name: "UNHEALTHY port 8080 is closed" });
  await group.getByText("1 个代理上的 1 个服务，自 ").waitFor();
  await expect
    .poll(() => group.innerText())
    .toMatch(/，自 \d\d:\d\d（(现在|\d+秒前|\d+分钟前)）起/);
  await expectAccessible();

  await page.evaluate('localStorage.setItem("platform.language", "not one")');
  await goto("/services");
  await heading("服务").waitFor();
  await page.getByRole("link", { name: "db-1", exact: true }).waitFor();
  await expectAccessible();
});
