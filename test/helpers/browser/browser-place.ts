// Where this run's browser is. A module that imports this one loads only after the console has been
// built, so the servers that its tests start find the console.

import { inject } from "vitest";
import { getShared } from "../shared-resource.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Shares a `BrowserPlace`. */
    browserSocket: string;
  }
}

export interface BrowserPlace {
  /** Contains Chromium. */
  folder: string;
  /** For the browsers' temporary files. A browser that is killed leaves some. */
  temp: string;
}

export const browserPlace = await getShared<BrowserPlace>(
  "the browser or the console",
  inject("browserSocket"),
);
