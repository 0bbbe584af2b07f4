import { distance } from "fastest-levenshtein";
import { commandLineVariables, variableNames } from "./variables.ts";

const known: readonly string[] = [...variableNames, ...commandLineVariables];

/** Returns a warning for each misspelled name. The names in `env` have no `PLATFORM_`. */
export function mistypedVariables(env: Record<string, string>): string[] {
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((other) => isClose(name, other));
    return meant ? [`PLATFORM_${name} is not a setting; did you mean PLATFORM_${meant}?`] : [];
  });
}

/** One edit can turn a short name into another word. */
function isClose(name: string, meant: string): boolean {
  const edits = meant.length < 4 ? 0 : meant.length < 8 ? 2 : 3;
  return withoutMarks(name) === withoutMarks(meant) || distance(name, meant) <= edits;
}

function withoutMarks(name: string): string {
  return name.replaceAll(/[_-]/g, "").toUpperCase();
}
