// A field for labels, one in each line: `env=prod`.

import type { ComponentProps } from "react";
import { texts } from "../texts/index.ts";
import { LinesField } from "./inputs.tsx";

type Labels = Readonly<Record<string, string>>;

export function LabelsField(props: ComponentProps<typeof LinesField>) {
  const bad = lines(props.value).find((line) => line.indexOf("=") < 1);
  const problem = bad === undefined ? null : texts.labels.notALabel({ line: bad });
  return <LinesField {...props} error={problem ?? props.error} />;
}

/** Returns null if any line is not a label. */
export function labelsIn(text: string): Labels | null {
  const pairs = lines(text).map((line): [string, string] => {
    const equals = line.indexOf("=");
    return [line.slice(0, Math.max(equals, 0)), line.slice(equals + 1)];
  });
  return pairs.every(([key]) => key !== "") ? Object.fromEntries(pairs) : null;
}

export function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join("\n");
}

function lines(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}
