// agent.yaml(5), with the fields of `agent explain` and the sample file of `agent init`.

import { capitalized } from "../../../lib/capitalized.ts";
import { type About, bold, heading, paragraph, section, terms, text, verbatim } from "./roff.ts";

export async function agentFilePage(about: About): Promise<string> {
  const { exampleValues, reference, sampleConfig } = await import(
    "../../../agent/sidecar/index.ts"
  );
  const fields = reference().map(({ field, type, meaning, default: byDefault }) => {
    const which = byDefault === "required" ? "Required" : `Default: ${byDefault}`;
    const sentences = `${capitalized(type)}: ${meaning}. ${which}.`;
    return [bold(field), text(sentences)] as const;
  });
  return [
    heading("agent.yaml", about, 5),
    section(
      "NAME",
      `${text("agent.yaml")} \\- ${text("configuration of an agent on this host")}\n`,
    ),
    section(
      "DESCRIPTION",
      paragraph(text("platform agent run reads this file, in YAML 1.2 or JSON.")),
      paragraph(
        text(
          "Paths are relative to the folder of the file. Times are numbers of seconds, or strings such as 10s and 1m30s. " +
            "Unknown fields are errors.",
        ),
      ),
    ),
    section("FIELDS", terms(fields)),
    section("EXAMPLE", verbatim(sampleConfig(exampleValues).trimEnd().split("\n"))),
    section("SEE ALSO", paragraph(`${bold("platform-agent")}(1)`)),
  ].join("");
}
