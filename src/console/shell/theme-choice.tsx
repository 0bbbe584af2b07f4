// The choice of theme: light, dark, or the same as the system. The browser stores the choice.

import { useSyncExternalStore } from "react";
import { keptChoice } from "../components/kept-choice.ts";
import { ChoiceField } from "../fields/inputs.tsx";
import { texts } from "../texts/index.ts";

const themes = ["system", "light", "dark"] as const;

const theme = keptChoice("theme", themes);
const systemDark = matchMedia("(prefers-color-scheme: dark)");

export function ThemeChoice() {
  const words = texts.shell.theme;
  const options = themes.map((each) => [each, words[each]] as const);
  return (
    <ChoiceField label={words.label} value={theme.use()} options={options} onChange={chooseTheme} />
  );
}

/** Returns the themes that are not chosen, and a function that chooses a theme. */
export function useThemes() {
  const chosen = theme.use();
  return { others: themes.filter((each) => each !== chosen), choose: chooseTheme };
}

function chooseTheme(next: (typeof themes)[number]): void {
  theme.set(next);
  applyTheme();
}

/** Must be called before anything is shown. */
export function applyTheme(): void {
  if (theme.get() === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.get();
}

export function useIsDark(): boolean {
  const isDark = useSyncExternalStore(subscribeSystem, () => systemDark.matches);
  const chosen = theme.use();
  return chosen === "system" ? isDark : chosen === "dark";
}

function subscribeSystem(listener: () => void): () => void {
  systemDark.addEventListener("change", listener);
  return () => systemDark.removeEventListener("change", listener);
}
