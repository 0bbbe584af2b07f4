// Explains error codes, statuses and reasons, for people and for programs.

import { errorCodes, errorStatus } from "../../../domain/errors.ts";
import { commandLineGuide } from "../../../domain/guides/command-line-guide.ts";
import { type ErrorGuide, errorGuide, outcomeGuide } from "../../../domain/guides/error-guide.ts";
import { statusGuide } from "../../../domain/guides/status-guide.ts";
import { storageRemedies } from "../../../domain/guides/storage-guide.ts";
import {
  describeStorageProblem,
  type StorageReason,
  storageReasons,
} from "../../../domain/storage/failures.ts";
import { uncapitalized } from "../../../lib/capitalized.ts";
import { exitStatusOf } from "../../exit.ts";

export interface ExplainedCode extends ErrorGuide {
  code: string;
  /**
   * Where the code comes from: an error of the API, a command that failed, or the command line
   * itself. A `status` is not an error: tables show it as a status, a state or the reason for a
   * state.
   */
  kind: "api" | "command" | "command line" | "status";
  /** Null unless the kind is `api`. */
  httpStatus: number | null;
  /** Null if the kind is `status`. */
  exitStatus: number | null;
}

/** Returns the codes of the API first, in the order of their HTTP status. */
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
  const all = new Map<string, ExplainedCode>(
    [...ofApi, ...ofCommands, ...ofCommandLine].map((error) => [error.code, error]),
  );
  const ofHealth = storageReasons.map((reason) => [reason, ofStorage(reason, all)] as const);
  for (const [code, guide] of [...Object.entries<ErrorGuide>(statusGuide), ...ofHealth]) {
    const other = all.get(code);
    const status = { code, kind: "status", httpStatus: null, exitStatus: null, ...guide } as const;
    all.set(code, other ? { ...other, ...together(other, guide) } : status);
  }
  return [...all.values()];
}

function together(first: ErrorGuide, second: ErrorGuide): ErrorGuide {
  return {
    meaning: `${first.meaning} ${second.meaning}`,
    causes: [...first.causes, ...second.causes],
    remedy: `${first.remedy} ${second.remedy}`,
  };
}

/** `others` are the codes that have another meaning, too. */
function ofStorage(reason: StorageReason, others: { has(code: string): boolean }): ErrorGuide {
  const remedy = others.has(reason)
    ? `If \`platformctl health\` shows this code as a reason, ${uncapitalized(storageRemedies[reason])}`
    : storageRemedies[reason];
  return {
    meaning: `As a reason in \`platformctl health\`: ${uncapitalized(describeStorageProblem(reason))}`,
    causes: [],
    remedy: `${remedy} For details, run \`platform docs guides/health\`.`,
  };
}
