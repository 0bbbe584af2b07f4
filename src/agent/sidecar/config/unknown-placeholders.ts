// Finds text that looks like a placeholder but is not replaced, such as `${VERSION}`.

import { runsScripts } from "../actions/interpreters.ts";
import type { Finding } from "./config-problems.ts";

const placeholder = /(?<!\$)\$\{(?!payload(?!\w))[^{}\s]+\}/;

export function unknownPlaceholders(file: unknown): Finding[] {
  return textsIn(file, []).flatMap(({ path, text }) => {
    const found = placeholder.exec(text)?.[0];
    if (found === undefined) return [];
    const what = `is passed on unchanged: only \${payload.field} is replaced`;
    const hint = path.includes("command") ? "; passEnv gives a program the agent's variables" : "";
    return [{ path, message: `${found} ${what}${hint}` }];
  });
}

interface Text {
  path: PropertyKey[];
  text: string;
}

function textsIn(value: unknown, path: PropertyKey[]): Text[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    switch (name) {
      case "inputSchema":
        return [];
      case "url":
        return textsOf([inner], path, () => "url");
      case "command":
        return Array.isArray(inner) && !runsScripts(inner.filter(isText))
          ? textsOf(inner, here, Number)
          : [];
      case "env":
      case "headers":
        return isText(inner) ? [] : [...entriesIn(inner, here), ...textsIn(inner, here)];
      default:
        return textsIn(inner, here);
    }
  });
}

function entriesIn(fields: unknown, path: PropertyKey[]): Text[] {
  if (typeof fields !== "object" || fields === null) return [];
  return textsOf(Object.values(fields), path, (at) => Object.keys(fields)[at] ?? "");
}

function textsOf(
  values: readonly unknown[],
  path: PropertyKey[],
  nameOf: (at: number) => PropertyKey,
): Text[] {
  return values.flatMap((text, at) =>
    isText(text) ? [{ path: [...path, nameOf(at)], text }] : [],
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
