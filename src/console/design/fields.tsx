// The fields of forms.

import { useState } from "react";
import { CheckField, ChoiceField, LinesField, TextField } from "../fields/inputs.tsx";
import { RadioField } from "../fields/radio-field.tsx";

const choices = [
  ["ask", "Request approval"],
  ["run", "Run immediately"],
] as const;

export function Fields() {
  const [text, setText] = useState("shop-api");
  const [choice, setChoice] = useState<"ask" | "run">("ask");
  const [isOn, setOn] = useState(true);
  return (
    <div>
      <TextField label="Name" hint="As people call it." required value={text} onChange={setText} />
      <TextField label="Code" error="Must not be empty." value="" onChange={setText} />
      <TextField label="Version" disabled value="2.14.0" onChange={setText} />
      <TextField label="Search" type="search" placeholder="Any" value="" onChange={setText} />
      <LinesField label="Description" isProse value={text} onChange={setText} />
      <LinesField label="Labels" value="region=eu" onChange={setText} />
      <ChoiceField label="If it may fail" value={choice} options={choices} onChange={setChoice} />
      <CheckField label="Stop at the first failure" value={isOn} onChange={setOn} />
      <RadioField legend="When it is due" value={choice} options={choices} onChange={setChoice} />
    </div>
  );
}
