// Tests the console as a server delivers it, and the errors that the test browser reports.

import { expect, test } from "vitest";
import { expectComplaint, openConsole } from "../helpers/browser/browser.ts";
import { startServer } from "../helpers/process/process.ts";

test("the page follows its content security policy, contacts only this server, and opens any URL", async () => {
  const server = await startServer();
  const path = "/agents/agt_1?tab=audit";
  const { page, complaints, axe } = await openConsole(server, { path });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(complaints().filter((line) => !/\b40[13]\b/.test(line))).toEqual([]);

  const script = await page.locator("script[src]").first().getAttribute("src");
  const { headers } = await fetch(server.url + script, { headers: { "accept-encoding": "br" } });
  expect(headers.get("content-encoding")).toBe("br");

  // The test browser reports every error in the page.
  expectComplaint(/\b401\b|script-src|img-src|other\.example|wrong here|nothing\.js|foreign/);
  const complaint = (pattern: RegExp) =>
    expect.poll(() => complaints().find((line) => pattern.test(line))).toBeTruthy();

  await page.evaluate(() => {
    const add = (name: string, attributes: object) =>
      document.body.append(Object.assign(document.createElement(name), attributes));
    add("script", { textContent: "window.wasRun = true" });
    add("img", { src: "http://other.example/picture.png", id: "picture" });
    add("script", { src: "/assets/nothing.js" });
    queueMicrotask(() => {
      throw new Error("wrong here");
    });
  });
  await complaint(/content policy: script-src-elem forbids inline/);
  await complaint(/content policy: img-src forbids http:\/\/other\.example/);
  await complaint(/console: .* 404 .*nothing\.js/);
  await complaint(/^error: Error: wrong here/);
  await expect.poll(() => page.evaluate(() => "wasRun" in window)).toBe(false);
  expect((await axe()).join("\n")).toMatch(/^image-alt: .*#picture$/m);

  const elsewhere = server.url.replace("127.0.0.1", "localhost");
  await page.goto(`${elsewhere}/api/system/health`);
  await complaint(/^foreign request: http:\/\/localhost:/);
});
