// How long what a test opens stays open: until that test ends, or until its file does.

import { afterAll, beforeAll, onTestFinished } from "vitest";

type CleanUp = () => unknown;

/** Of the file that is opening something for all of its tests. */
let ofFile: CleanUp[] | null = null;

/** Runs at the end of the test, or of the file inside `perFile`; last come, first served. */
export function atEnd(cleanUp: CleanUp): void {
  if (ofFile) ofFile.push(cleanUp);
  else onTestFinished(async () => void (await cleanUp()));
}

/** Opens something once for all tests of a file (or of a `describe`) that leave it as it is for the next one. */
export function perFile<T>(open: () => Promise<T>): () => T {
  const cleanUps: CleanUp[] = [];
  let opened: T;
  beforeAll(async () => {
    ofFile = cleanUps;
    try {
      opened = await open();
    } finally {
      ofFile = null;
    }
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return () => opened;
}
