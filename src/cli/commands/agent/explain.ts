import type { FieldReference } from "../../../agent/sidecar/index.ts";
import { didYouMean, nearest } from "../../../lib/nearest.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";

const view: ListView<FieldReference> = {
  columns: [
    { name: "field", value: (row) => row.field, kind: "key" },
    { name: "type", value: (row) => row.type },
    { name: "default", value: (row) => row.default },
    { name: "meaning", value: (row) => row.meaning },
  ],
  nameOf: (row) => row.field,
  whenEmpty: "There are no fields.",
};

export async function explainField({ io, args, options }: Invocation): Promise<void> {
  const { exampleOf, plainPath, reference } = await import("../../../agent/sidecar/index.ts");
  const all = reference();
  const path = args[0] === undefined ? null : plainPath(args[0]);
  const rows = path === null ? all.filter(({ field }) => !field.includes(".")) : below(path, all);
  if (path !== null && rows.length === 0) throw unknownField(path, all);
  if (!isForPeople(options)) return printWhole({ io, options }, rows, view);
  io.out(rows.map(textOf).join("\n"));
  const example = path === null ? null : exampleOf(path);
  if (example) io.out(`\nExample:\n\n${example.replaceAll(/^(?=.)/gm, "  ")}`);
}

/** Returns the field and its direct subfields. */
function below(path: string, all: FieldReference[]): FieldReference[] {
  return all.filter(({ field }) => {
    const rest = field.startsWith(`${path}.`) ? field.slice(path.length + 1) : null;
    return field === path || (rest !== null && !rest.includes("."));
  });
}

function textOf({ field, type, default: byDefault, meaning }: FieldReference): string {
  const which = byDefault === "required" ? "required" : `default: ${byDefault}`;
  return `${field}\n  ${type}; ${which}\n  ${meaning}\n`;
}

function unknownField(path: string, all: FieldReference[]): CliError {
  const names = all.map(({ field }) => field);
  // For an incomplete path, suggests the field whose path ends with it.
  const suggested = names.find((name) => name.endsWith(`.${path}`)) ?? nearest(path, names);
  const message = `agent.yaml has no field ${path}.${didYouMean(suggested)}`;
  return new CliError(exit.notFound, message, { code: "FIELD_NOT_FOUND" });
}
