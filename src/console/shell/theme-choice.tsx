// The choice of theme: light, dark, or the same as the system. The browser stores the choice.

import { useSyncExternalStore } from "react";
import { keep, readKept } from "../components/kept.ts";
import { ChoiceField } from "../fields/inputs.tsx";
import { texts } from "../texts/index.ts";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

let theme: Theme = themes.find((each) => each === readKept("theme")) ?? "system";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

export function ThemeChoice() {
  const words = texts.shell.theme;
  const options = themes.map((each) => [each, words[each]] as const);
  return (
    <ChoiceField label={words.label} value={useTheme()} options={options} onChange={setTheme} />
  );
}

/** Must be called before anything is shown. */
export function applyTheme(): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function setTheme(next: Theme): void {
  theme = next;
  keep("theme", next === "system" ? null : next);
  applyTheme();
  for (const listener of listeners) listener();
}

function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIsDark(): boolean {
  const isDark = useSyncExternalStore(subscribeSystem, () => systemDark.matches);
  const chosen = useTheme();
  return chosen === "system" ? isDark : chosen === "dark";
}

function subscribeSystem(listener: () => void): () => void {
  systemDark.addEventListener("change", listener);
  return () => systemDark.removeEventListener("change", listener);
}
