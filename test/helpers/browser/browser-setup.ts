// Builds the console and unpacks the browser when the first test of a run needs them.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { buildConsole } from "../../../scripts/build/console.ts";
import { provideShared } from "../shared-resource.ts";
import type { BrowserPlace } from "./browser-place.ts";
import { builtConsoleFolder } from "./built-console.ts";
import { unpackChromium } from "./chromium.ts";

/** Returns the function that removes the console. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { socket, end } = await provideShared(async (atEnd): Promise<BrowserPlace> => {
    const temp = mkdtempSync(join(tmpdir(), "platform-test-chromium-"));
    const built = builtConsoleFolder();
    atEnd(() => rmSync(built, { recursive: true, force: true }));
    atEnd(async () => {
      // A browser ends only after the test process that started it. Until then, it may still write.
      while (existsSync(temp)) {
        rmSync(temp, { recursive: true, force: true, maxRetries: 10 });
        await pause(100);
      }
    });
    await buildConsole(built, "quick");
    return { folder: unpackChromium(), temp };
  });
  project.provide("browserSocket", socket);
  return end;
}
