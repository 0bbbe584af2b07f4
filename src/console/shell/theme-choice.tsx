// The choice of theme: light, dark, or the same as the system. The browser stores the choice.

import { useId, useSyncExternalStore } from "react";
import { keep, readKept } from "../components/kept.ts";
import { texts } from "../texts/index.ts";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

let theme: Theme = themes.find((each) => each === readKept("theme")) ?? "system";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

export function ThemeChoice() {
  const current = useTheme();
  const id = useId();
  return (
    <div className="theme-choice small">
      <label htmlFor={id}>{texts.shell.theme.label}</label>
      <select
        id={id}
        className="control"
        value={current}
        onChange={(event) => setTheme(event.target.value as Theme)}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {texts.shell.theme[each]}
          </option>
        ))}
      </select>
    </div>
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
