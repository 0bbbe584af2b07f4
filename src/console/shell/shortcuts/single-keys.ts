// Whether single-key shortcuts are on. People who speak to their computer, or press keys by
// accident, can turn them off (WCAG 2.1.4). The browser stores the choice.

import { keptChoice } from "../../components/kept-choice.ts";

const choice = keptChoice("shortcuts", ["on", "off"]);

export function setSingleKeys(next: boolean): void {
  choice.set(next ? "on" : "off");
}

export function useSingleKeys(): boolean {
  return choice.use() === "on";
}
