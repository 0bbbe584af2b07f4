// Explains error codes, for people and for programs.

import {
  commandLineGuide,
  type ErrorGuide,
  errorGuide,
  outcomeGuide,
} from "../../../domain/error-guide.ts";
import { errorCodes, errorStatus } from "../../../domain/errors.ts";
import { exitStatusOf } from "../../exit.ts";

export interface ExplainedCode extends ErrorGuide {
  code: string;
  /** Where it comes from: an error of the API, a command that failed, or the command line itself. */
  kind: "api" | "command" | "command line";
  /** Null unless the kind is `api`. */
  httpStatus: number | null;
  exitStatus: number;
}

/** First the codes of the API, in the order of their HTTP status. */
export function explainedCodes(): ExplainedCode[] {
  const ofApi = errorCodes.map((code) => ({
    code,
    kind: "api" as const,
    httpStatus: errorStatus[code],
    exitStatus: exitStatusOf(code),
    ...errorGuide[code],
  }));
  const ofCommands = Object.entries<ErrorGuide>(outcomeGuide).map(([code, guide]) => ({
    code,
    kind: "command" as const,
    httpStatus: null,
    exitStatus: 1,
    ...guide,
  }));
  const ofCommandLine = Object.entries(commandLineGuide).map(([code, guide]) => ({
    code,
    kind: "command line" as const,
    httpStatus: null,
    ...guide,
  }));
  return [...ofApi, ...ofCommands, ...ofCommandLine];
}
