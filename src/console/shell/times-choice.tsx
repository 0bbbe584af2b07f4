import { ChoiceField } from "../fields/inputs.tsx";
import { texts } from "../texts/index.ts";
import { timeStyle, timeStyles } from "../values/time-style.ts";

export function TimesChoice() {
  const words = texts.shell.times;
  const options = timeStyles.map((each) => [each, words[each]] as const);
  return (
    <ChoiceField
      label={words.label}
      value={timeStyle.use()}
      options={options}
      onChange={timeStyle.set}
    />
  );
}
