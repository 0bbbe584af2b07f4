// Closes what tests open, at the end of the test or of the test file.

import { afterAll, beforeAll, onTestFinished } from "vitest";

type CleanUp = () => unknown;

/** The clean-ups of the test file while `perFile` opens something, and otherwise null. */
let ofFile: CleanUp[] | null = null;

/**
 * Runs the clean-up at the end of the test, or of the file inside `perFile`. Clean-ups run in
 * reverse order.
 */
export function atEnd(cleanUp: CleanUp): void {
  if (ofFile) ofFile.push(cleanUp);
  else onTestFinished(async () => void (await cleanUp()));
}

/**
 * Opens something once for all tests of a file or of a `describe`, which must leave it unchanged.
 */
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
