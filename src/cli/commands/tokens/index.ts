import { nouns } from "../../../api/contract/nouns.ts";
import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { fileOption } from "../../options.ts";

const fromFile = fileOption(
  "--agents-from <file>",
  "create a token for each code in this file, one per line; - for standard input",
);

/** The usual commands of a noun, but `create` can also create tokens for many agents at once. */
export const tokens = (): CommandSpec[] =>
  commandsOf("registration-tokens").map((spec) => {
    if (spec.name !== "tokens create") return spec;
    return {
      ...spec,
      options: [...(spec.options ?? []), fromFile],
      run: async () => (await import("./create.ts")).createTokens(nouns["registration-tokens"]),
    };
  });
