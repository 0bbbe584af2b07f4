import { describeConfig, type SettingView } from "../../../config/describe.ts";
import { mistypedVariables } from "../../../config/mistyped.ts";
import type { Invocation } from "../../command.ts";
import { printWhole } from "../../output/listing.ts";
import type { ListView } from "../../output/output.ts";
import { givenFlags, namingFlags } from "../../server-flags.ts";
import { sourceVersion } from "../../version.ts";

const view: ListView<SettingView> = {
  columns: [
    { name: "variable", value: (setting) => setting.variable, kind: "key" },
    { name: "value", value: (setting) => setting.value },
    { name: "source", value: (setting) => setting.source },
  ],
  nameOf: (setting) => setting.variable,
  whenEmpty: "There are no settings.",
};

export async function showConfig({ io, options }: Invocation): Promise<void> {
  const flags = givenFlags(options);
  const settings = await namingFlags(flags, () =>
    describeConfig(io.env, flags.values, sourceVersion()),
  );
  for (const warning of mistypedVariables(io.env)) io.note(`${warning}\n`);
  printWhole({ io, options }, settings, view);
}
