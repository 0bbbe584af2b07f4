// Checks every part of the design system in both themes, as the development server shows them.

import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { projectFolder } from "../../scripts/build/project.ts";
import { openConsole } from "../helpers/browser/browser.ts";

test("all parts of the design system are accessible, fit every width, and keep the focus", async () => {
  const { page, dialog, button, axe } = await openConsole(
    { url: await serveDesign() },
    {
      path: "/design/",
    },
  );
  const light = page.getByRole("region", { name: "light" });
  for (const theme of [light, page.getByRole("region", { name: "dark" })]) {
    await theme.getByRole("heading", { name: "Buttons" }).waitFor();
  }
  for (const width of [1920, 1440, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const beyond = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    await expect.poll(beyond, { message: `at ${width} pixels` }).toBeLessThanOrEqual(0);
    expect(await axe(), `at ${width} pixels`).toEqual([]);
  }
  for (const name of ["Ask", "Edit"]) {
    await button(name, light).last().click();
    await dialog.waitFor();
    await expect.poll(axe, { message: name }).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator("button:focus", { hasText: name }).waitFor();
  }
  await button("Columns", light).first().click();
  await page.locator(":popover-open").waitFor();
  await expect.poll(axe, { message: "the menu" }).toEqual([]);
  await page.keyboard.press("Escape");
  // The message disappears with its button, and the focus returns to where it was.
  await button("Notify", light).press("Enter");
  const resume = page.locator(".notices").getByRole("button", { name: "Resume" });
  await resume.focus();
  await resume.press("Enter");
  await page.locator("button:focus", { hasText: "Notify" }).waitFor();
  // While the focus is on one message, all stay.
  await page.clock.install();
  await button("Notify", light).click();
  await button("Notify", light).click();
  await resume.last().focus();
  await page.clock.runFor(30_000);
  await expect.poll(() => resume.count()).toBe(2);
  // The message below the pointer disappears, which the browser may not report as leaving it.
  await resume.last().click();
  await expect.poll(() => resume.count()).toBe(1);
  await page.mouse.move(0, 0);
  const later = async () => {
    await page.clock.runFor(30_000);
    return resume.count();
  };
  await expect.poll(later).toBe(0);
});

test("the parts have their colours and sizes of type from the tokens", () => {
  const own = /#[0-9a-f]{3,8}\b|\brgb\(|font-size: [\d.]+(rem|px)|transition: [\d.]+m?s/;
  const styles = globSync("src/console/{components,fields,lists,styles,values}/**/*.css", {
    cwd: projectFolder,
  });
  expect(styles.length).toBeGreaterThan(20);
  const found = styles
    .filter((name) => !name.endsWith("styles/tokens.css"))
    .flatMap((name) =>
      readFileSync(join(projectFolder, name), "utf8")
        .split("\n")
        .filter((line) => own.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

/** Returns the address of a server with the built page. */
async function serveDesign(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), "design-"));
  const configFile = join(projectFolder, "vite.config.ts");
  const input = join(projectFolder, "src/console/design/index.html");
  const common = { configFile, configLoader: "native", logLevel: "error" } as const;
  await build({ ...common, build: { outDir, rolldownOptions: { input } } });
  const server = await preview({
    ...common,
    build: { outDir },
    preview: { host: "127.0.0.1", port: 0 },
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  });
  return server.resolvedUrls?.local[0] ?? "";
}
