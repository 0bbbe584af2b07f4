// Light, dark, or as the system: the reader's choice, kept.

import { useSyncExternalStore } from "react";
import { keep, readKept } from "../components/kept.ts";

export type Theme = "system" | "light" | "dark";

export const themes: readonly Theme[] = ["system", "light", "dark"];

let theme: Theme = themes.find((each) => each === readKept("theme")) ?? "system";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** Before anything is shown. */
export function applyTheme(): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function setTheme(next: Theme): void {
  theme = next;
  keep("theme", next === "system" ? null : next);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether what is shown is dark, whoever decided it. */
export function useIsDark(): boolean {
  const isDark = useSyncExternalStore(subscribeSystem, () => systemDark.matches);
  const chosen = useTheme();
  return chosen === "system" ? isDark : chosen === "dark";
}

function subscribeSystem(listener: () => void): () => void {
  systemDark.addEventListener("change", listener);
  return () => systemDark.removeEventListener("change", listener);
}
