import type { ConfigFile } from "../../../agent/sidecar/index.ts";
import { wholeEnvironment } from "../../../config/env.ts";
import { CliError, exit } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";

/** Throws a CliError that has one line for each problem. */
export async function readAgentFile(file: string): Promise<ConfigFile> {
  const { BadConfigFile, readConfigFile } = await import("../../../agent/sidecar/index.ts");
  try {
    return await readConfigFile(file, wholeEnvironment());
  } catch (error) {
    if (!(error instanceof BadConfigFile)) throw error;
    const { problems } = error;
    throw new CliError(exit.usage, problems.map(printableLine).join("\n  "), {
      code: "CONFIG_INVALID",
      details: { problems },
    });
  }
}
