// Builds the console and unpacks the browser once, before a run with browser tests.

import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { buildConsole } from "../../../scripts/build/console.ts";
import { builtConsoleFolder } from "./built-console.ts";
import { unpackChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    chromiumFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = builtConsoleFolder();
  const clear = () => rmSync(folder, { recursive: true, force: true });
  try {
    project.provide("chromiumFolder", unpackChromium());
    await buildConsole(folder, "quick");
  } catch (error) {
    clear();
    throw error;
  }
  return clear;
}
