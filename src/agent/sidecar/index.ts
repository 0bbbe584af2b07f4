// The sidecar, for the command line: read a configuration, check it, run it.

export { BadConfigFile, type ConfigFile, parseConfig, readConfigFile } from "./config-file.ts";
export { type CheckRow, runChecks } from "./run-checks.ts";
export { sampleConfig } from "./sample-config.ts";
export { createSidecar, type Sidecar } from "./sidecar.ts";
