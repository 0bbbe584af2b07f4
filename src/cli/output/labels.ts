import type { Reply } from "../../api/index.ts";
import { section } from "./output.ts";
import { printableLine } from "./printable.ts";

type Sources = Reply<"services.get">["labelSources"];

const becauseOf = {
  USED: "",
  OVERRIDDEN: ", overridden",
  IGNORED: ", ignored: agents cannot report this label",
};

/**
 * Shows where the labels of an agent or service come from, unless the agent reports all of them and
 * all of them apply. Older servers do not return `sources`.
 */
export function labelsSection(sources: Sources | undefined): string {
  const isPlain = ({ source, state }: Sources[number]) => source === "REPORTED" && state === "USED";
  if (sources === undefined || sources.every(isPlain)) return "";
  const isOfService = sources.some(({ of }) => of === "SERVICE");
  const lines = sources.map(({ key, value, source, of, state }) => {
    const from = source === "ASSIGNED" ? "assigned" : "reported";
    const ofAgent = isOfService && of === "AGENT" ? (source === "ASSIGNED" ? " to" : " of") : "";
    const whose = ofAgent === "" ? "" : `${ofAgent} the agent`;
    return `${printableLine(`${key}=${value}`)}  (${from}${whose}${becauseOf[state]})`;
  });
  return section("labels", lines.join("\n"));
}
