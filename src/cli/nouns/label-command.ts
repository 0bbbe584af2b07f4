// The command `<noun> label`.

import type { Noun } from "../../api/contract/noun.ts";
import type { NounName } from "../../api/contract/nouns.ts";
import type { CommandSpec } from "../command.ts";
import { argumentFor, callsApi, option, yes } from "../options.ts";
import type { LoadPrint } from "./run.ts";

export function labelOf(noun: Noun, print: LoadPrint, examples: string[]): CommandSpec {
  const { name, summary, completes } = argumentFor(noun.noun as NounName);
  return {
    name: `${noun.group} label`,
    summary: noun.summaries.label ?? "",
    args: [
      {
        name: "[words...]",
        summary: `${name.slice(1, -1)}s (${summary}), and KEY=VALUE to assign a label or KEY- to remove one; without changes, shows the labels`,
        ...(completes === undefined ? {} : { completes }),
      },
    ],
    options: [
      option("-l, --selector <selector>", `all ${noun.one}s whose labels match, in place of names`),
      yes,
    ],
    ...callsApi,
    examples,
    run: async () => (await import("./label.ts")).label(noun, print),
  };
}
