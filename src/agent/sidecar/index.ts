// The sidecar's interface for the command line.

export { type CheckRow, runChecks } from "./checks/run-checks.ts";
export type { Reloaded } from "./config/config-change.ts";
export {
  BadConfigFile,
  type ConfigFile,
  parseConfig,
  readConfigFile,
} from "./config/config-file.ts";
export { exampleOf, type FieldReference, plainPath, reference } from "./config/reference.ts";
export { exampleValues, sampleConfig } from "./config/sample-config.ts";
export { createSidecar, type Sidecar } from "./sidecar.ts";
