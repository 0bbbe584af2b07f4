// The error codes with what is known about them, for people and programs.

import { type ErrorGuide, errorGuide, outcomeGuide } from "../../../domain/error-guide.ts";
import { errorCodes, errorStatus } from "../../../domain/errors.ts";
import { exitStatusOf } from "../../exit.ts";

export interface ExplainedCode extends ErrorGuide {
  code: string;
  /** Null for codes with which commands fail, which are part of a successful response. */
  httpStatus: number | null;
  exitStatus: number;
}

/** First the codes of the API, in the order of their HTTP status. */
export function explainedCodes(): ExplainedCode[] {
  const ofApi = errorCodes.map((code) => ({
    code,
    httpStatus: errorStatus[code],
    exitStatus: exitStatusOf(code),
    ...errorGuide[code],
  }));
  const ofCommands = Object.entries<ErrorGuide>(outcomeGuide).map(([code, guide]) => ({
    code,
    httpStatus: null,
    exitStatus: 1,
    ...guide,
  }));
  return [...ofApi, ...ofCommands];
}
