import type { ConfigFile } from "../../../agent/sidecar/index.ts";
import { CliError, exit } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";

/** Throws a CliError with one line for each problem. */
export async function readAgentFile(io: Io, file: string): Promise<ConfigFile> {
  const { BadConfigFile, readConfigFile } = await import("../../../agent/sidecar/index.ts");
  try {
    return await readConfigFile(file, io.wholeEnv);
  } catch (error) {
    if (!(error instanceof BadConfigFile)) throw error;
    const { problems } = error;
    throw new CliError(exit.usage, problems.map(printableLine).join("\n  "), {
      code: "CONFIG_INVALID",
      details: { problems },
    });
  }
}
