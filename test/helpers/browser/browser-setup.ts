// Builds the console and unpacks the browser once, before a run with browser tests.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildConsole } from "../../../scripts/build/console.ts";
import { builtConsoleFolder } from "./built-console.ts";
import { unpackChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    chromiumFolder: string;
    /** For the browsers' temporary files. A browser that is killed leaves some. */
    chromiumTemp: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = builtConsoleFolder();
  const temp = mkdtempSync(join(tmpdir(), "platform-test-chromium-"));
  const clear = () => {
    for (const each of [folder, temp]) rmSync(each, { recursive: true, force: true });
  };
  try {
    project.provide("chromiumTemp", temp);
    project.provide("chromiumFolder", unpackChromium());
    await buildConsole(folder, "quick");
  } catch (error) {
    clear();
    throw error;
  }
  return clear;
}
