// Clears caches and wakes waiters when another process has written to the database.
// (docs/decisions/0005-state-in-memory.md)

import type { Core } from "../context.ts";
import { applyForeignChange } from "./changes.ts";
import { wakeConcerned } from "./wake-concerned.ts";

/** Returns a function that ends the subscription. */
export function applyForeignChanges(core: Core): () => void {
  return core.db.onForeignChange((keys) => {
    const isKnown = keys?.every((key) => applyForeignChange(core, key)) ?? false;
    if (!isKnown) doubtEverything(core);
  });
}

function doubtEverything(core: Core): void {
  core.credentials.forget();
  core.instances.clear();
  core.reportCache.clear();
  core.settings.live.forget();
  core.statusClock.isAbsenceUnread = true;
  core.feed.doubt();
  core.polls.ringUnsure();
  wakeConcerned(core);
}
