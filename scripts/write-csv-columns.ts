// Makes src/domain/csv-columns.ts, so that the server and the command line know the columns without the
// schemas. Columns that a file already has keep their place.

import { join } from "node:path";
import { z } from "zod";
import type { RouteSpec } from "../src/api/contract/route.ts";
import { routes } from "../src/api/index.ts";
import { csvColumns } from "../src/domain/csv-columns.ts";
import { formatted } from "./formatted.ts";

export const csvColumnsFile = join(import.meta.dirname, "../src/domain/csv-columns.ts");

const head = `// The columns of each list as CSV, by the list's route. Written by scripts/write-csv-columns.ts from
// src/api: do not edit. New columns are added at the end.

`;

type Table = Readonly<Record<string, readonly string[]>>;

export function csvColumnsText(known: Table = csvColumns): string {
  const lists = Object.entries<RouteSpec>(routes).filter(([, { paginated }]) => paginated);
  const table = lists.map(([name, { reply }]) => [
    name,
    inKnownOrder(columnsOf(reply), known[name] ?? []),
  ]);
  const text = JSON.stringify(Object.fromEntries(table));
  return formatted(
    csvColumnsFile,
    `${head}export const csvColumns = ${text} as const satisfies Record<string, readonly string[]>;

export type CsvList = keyof typeof csvColumns;
`,
  );
}

function inKnownOrder(columns: readonly string[], known: readonly string[]): string[] {
  return [
    ...known.filter((column) => columns.includes(column)),
    ...columns.filter((column) => !known.includes(column)),
  ];
}

/** The fields of a row, and those of the objects in it. */
function columnsOf(reply: z.ZodType): string[] {
  if (!(reply instanceof z.ZodArray)) throw new Error("a list must return an array");
  return Object.entries(shapeOf(reply.element) ?? {}).flatMap(([name, schema]) => {
    const nested = shapeOf(schema);
    return nested ? Object.keys(nested).map((field) => `${name}.${field}`) : [name];
  });
}

/** Null if the value is not an object with known fields. */
function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape | null {
  if (schema instanceof z.ZodObject) return schema.shape;
  const isWrapper = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return isWrapper ? shapeOf(schema.def.innerType) : null;
}
