// Light, dark, or as the system.

import { useId } from "react";
import { texts } from "../texts/index.ts";
import { setTheme, type Theme, themes, useTheme } from "./theme.ts";

export function ThemeChoice() {
  const theme = useTheme();
  const id = useId();
  return (
    <div className="theme-choice">
      <label htmlFor={id}>{texts.shell.theme.label}</label>
      <select
        id={id}
        className="control"
        value={theme}
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
