// Tests the choice of language in a browser.

import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { startServer } from "../helpers/process/process.ts";
import { templateOwner } from "../helpers/template-owner.ts";

test("a user chooses German before signing in, and English on the account page", async () => {
  const server = await startServer();
  const { page, goto, axe, expectAccessible } = await openConsole(server);
  expectComplaint(/\b401\b/);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  const language = () => page.evaluate("document.documentElement.lang");
  await heading("Sign in").waitFor();
  expect(await language()).toBe("en-GB");

  await page.getByLabel("Language", { exact: true }).selectOption("Deutsch");
  await heading("Anmelden").waitFor();
  expect(await language()).toBe("de");
  expect(await axe()).toEqual([]);
  await page.getByLabel("Benutzername", { exact: true }).fill(templateOwner.username);
  await page.getByLabel("Passwort", { exact: true }).fill(templateOwner.password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();

  await heading("Übersicht").waitFor();
  await expect.poll(() => page.title()).toContain("Übersicht");
  const navigation = page.getByRole("navigation", { name: "Hauptnavigation" });
  await navigation.getByRole("link", { name: "Dienste", exact: true }).click();
  await heading("Dienste").waitFor();
  await page.getByText("Noch wurde kein Dienst gemeldet.").waitFor();
  await expectAccessible();

  await goto("/account");
  await heading("Ihr Konto").waitFor();
  await expectAccessible();
  await page.getByLabel("Sprache (Language)", { exact: true }).selectOption("English");
  await heading("Your account").waitFor();
  expect(await language()).toBe("en-GB");
});

test("the browser's language counts until the user chooses one", async () => {
  const server = await startServer();
  const { page } = await openConsole(server, { locale: "de-AT" });
  expectComplaint(/\b401\b/);
  await page.getByRole("heading", { name: "Anmelden", exact: true }).waitFor();
  await page.getByLabel("Sprache (Language)", { exact: true }).selectOption("English");
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  await page.evaluate('localStorage.setItem("platform.language", "not one")');
  await page.reload();
  await page.getByRole("heading", { name: "Anmelden", exact: true }).waitFor();
});

test("the console is English if the file of a language cannot be loaded", async () => {
  const server = await startServer();
  const { page } = await openConsole(server);
  expectComplaint(/\b401\b|assets\/de-/);
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  await page.route("**/assets/de-*.js", (route) => route.abort("failed"));
  const failed = page.waitForEvent("requestfailed");
  await page.getByLabel("Language", { exact: true }).selectOption("Deutsch");
  await failed;
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  expect(await page.getByLabel("Language", { exact: true }).inputValue()).toBe("en");
  expect(await page.evaluate("document.documentElement.lang")).toBe("en-GB");
});
