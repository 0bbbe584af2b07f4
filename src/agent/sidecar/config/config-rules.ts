// The rules that involve several fields. They read the raw file, so that their problems are
// reported together with those of single fields.

import { isJsonObject } from "../../../domain/payload/json.ts";
import { isSecretName } from "../../../domain/secrets/secrecy.ts";
import { problemsOfAction } from "../actions/check-action.ts";
import { action } from "./config.ts";
import type { Finding } from "./config-problems.ts";
import { findingsInSchema } from "./input-schema.ts";

interface Row {
  fields: Record<string, unknown>;
  path: PropertyKey[];
}

export function brokenRules(file: unknown): Finding[] {
  const services = rowsOf({ fields: fieldsOf(file), path: [] }, "services");
  return [
    ...uselessCa(fieldsOf(file)),
    ...twins(services, "code"),
    ...services.flatMap((service) => [
      ...twins(rowsOf(service, "configs"), "key"),
      ...twins(rowsOf(service, "actions"), "name"),
      ...rowsOf(service, "actions").flatMap(unusableSchema),
      ...rowsOf(service, "actions").flatMap(wrongPlaceholders),
    ]),
  ];
}

export function secretsInside(file: unknown): Finding[] {
  const message =
    "is a secret in a file that other users can read: run chmod 600, or use { env: … } or { file: … }";
  return secretPaths(file, []).map((path) => ({ path, message }));
}

function secretPaths(value: unknown, path: PropertyKey[]): PropertyKey[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(name) : name];
    const isSecret =
      (path.length === 0 && name === "registrationToken") ||
      (path.at(-1) === "headers" && isSecretName(name));
    return isSecret && typeof inner === "string" ? [here] : secretPaths(inner, here);
  });
}

function uselessCa({ caFile, insecureSkipTlsVerify }: Row["fields"]): Finding[] {
  if (caFile === undefined || insecureSkipTlsVerify !== true) return [];
  const message = "makes caFile useless: set only one of them";
  return [{ path: ["insecureSkipTlsVerify"], message }];
}

function twins(rows: Row[], field: string): Finding[] {
  const seen = new Set<unknown>();
  return rows.flatMap(({ fields, path }) => {
    const value = fields[field];
    if (typeof value !== "string") return [];
    const isTwin = seen.has(value);
    seen.add(value);
    return isTwin ? [{ path: [...path, field], message: `${value} is used twice` }] : [];
  });
}

function unusableSchema({ fields: { inputSchema }, path }: Row): Finding[] {
  if (!isJsonObject(inputSchema)) return [];
  return findingsInSchema(inputSchema as never).map(({ path: inside, message }) => ({
    path: [...path, "inputSchema", ...inside],
    message,
  }));
}

/** Skips invalid actions, because the schema reports their problems. */
function wrongPlaceholders({ fields, path }: Row): Finding[] {
  const checked = action.safeParse(fields);
  const problems = checked.success ? problemsOfAction(checked.data) : [];
  return problems.map((one) => ({ path: [...path, ...one.path], message: one.message }));
}

function rowsOf({ fields, path }: Row, field: string): Row[] {
  const list = fields[field];
  if (!Array.isArray(list)) return [];
  return list.map((item, at) => ({ fields: fieldsOf(item), path: [...path, field, at] }));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}
