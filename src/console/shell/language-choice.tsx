// The choice of language. The browser stores the choice.

import { Field } from "../fields/field.tsx";
import { texts } from "../texts/index.ts";
import { languages } from "../texts/languages.ts";
import { chooseLanguage, shownLanguage } from "../texts/load.ts";

export function LanguageChoice() {
  return (
    <Field label={texts.shell.language}>
      {(control) => (
        <select
          {...control}
          value={shownLanguage().code}
          onChange={({ target }) => chooseLanguage(target.value)}
        >
          {languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
