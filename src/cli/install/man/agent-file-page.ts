// agent.yaml(5): every field of the agent's file, from the same reference as `platform agent explain`, and
// the sample that `platform agent init` prints.

import type { FieldReference } from "../../../agent/sidecar/index.ts";
import { type About, heading } from "./about.ts";
import { bold, paragraph, section, terms, text, verbatim } from "./roff.ts";

export async function agentFilePage(about: About): Promise<string> {
  const { exampleValues, reference, sampleConfig } = await import(
    "../../../agent/sidecar/index.ts"
  );
  return [
    heading("agent.yaml", about, 5),
    section("NAME", `${text("agent.yaml")} \\- ${text("the file of an agent of this host")}\n`),
    section(
      "DESCRIPTION",
      paragraph(text("What platform agent run reads: YAML 1.2, or JSON.")),
      paragraph(
        text(
          "Paths are read from the folder of the file. Times are seconds, or texts such as 10s and 1m30s. " +
            "An unknown field is refused.",
        ),
      ),
    ),
    section("FIELDS", terms(reference().map(fieldTerm))),
    section("EXAMPLE", verbatim(sampleConfig(exampleValues).trimEnd().split("\n"))),
    section("SEE ALSO", paragraph(`${bold("platform-agent")}(1)`)),
  ].join("");
}

function fieldTerm({ field, type, meaning, default: byDefault }: FieldReference): [string, string] {
  const which = byDefault === "required" ? "Required" : `Default: ${byDefault}`;
  const said = `${type[0]?.toUpperCase()}${type.slice(1)}: ${meaning}. ${which}.`;
  return [bold(field), text(said)];
}
