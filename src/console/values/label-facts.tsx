// The labels of an agent or a service, grouped by source and by whether they take effect.

import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import type { Fact } from "./facts.tsx";
import { labelLinks } from "./label-links.tsx";

type Source = Reply<"services.get">["labelSources"][number];

const words = texts.labels;

/** Returns a single fact if no labels are assigned and all reported labels take effect. */
export function labelFacts(sources: readonly Source[], to: "agents" | "services"): Fact[] {
  const those = (fits: (source: Source) => boolean) =>
    Object.fromEntries(sources.filter(fits).map(({ key, value }) => [key, value]));
  const used = (source: Source["source"]) =>
    labelLinks({ labels: those((one) => one.state === "USED" && one.source === source), to });
  const unused = (state: Source["state"]) => textOf(sources.filter((one) => one.state === state));
  const isPlain = sources.every(({ source, state }) => source === "REPORTED" && state === "USED");
  if (isPlain) return [[texts.words.labels, used("REPORTED")]];
  return [
    [words.assigned, used("ASSIGNED")],
    [words.reported, used("REPORTED")],
    [words.overridden, unused("OVERRIDDEN")],
    [words.ignored, unused("IGNORED")],
  ];
}

function textOf(sources: readonly Source[]) {
  if (sources.length === 0) return null;
  return (
    <ul className="row label-links plain muted">
      {sources.map(({ key, value, source, of }) => (
        <li key={`${source} ${of} ${key}`}>
          {key}={value}
        </li>
      ))}
    </ul>
  );
}
