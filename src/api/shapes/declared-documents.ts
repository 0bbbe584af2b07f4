// Checks the documents of declarations. For each document, there is a function that returns its
// problems, so that the use case can report these together with the problems that it finds itself.
// The use case calls the functions one by one, because checking all documents together would block
// the event loop for too long. The command line uses the same fields for files with one object.

import { z } from "zod";
import type { Issue } from "../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { suggestion } from "../../lib/nearest.ts";
import { once } from "../../lib/once.ts";
import { approvalPolicies, policyDeclaration } from "../approval-policies.ts";
import { busRouteDeclaration, busRoutes } from "../bus/bus-routes.ts";
import { withIssueWords } from "../contract/issue-words.ts";
import { named } from "../contract/schema-names.ts";
import { savedViewDeclaration, savedViews } from "../saved-views.ts";
import { schedules } from "../schedules.ts";
import { settings, settingsDeclaration } from "../settings.ts";
import { scheduleDeclaration } from "./schedule-schemas.ts";
import { unknownFieldsOf } from "./unknown-fields.ts";

const documents = [
  named("ApprovalPolicyDeclaration", policyDeclaration),
  named("BusRouteDeclaration", busRouteDeclaration),
  named("SavedViewDeclaration", savedViewDeclaration),
  named("ScheduleDeclaration", scheduleDeclaration),
  named("SettingsDeclaration", settingsDeclaration),
] as const;

/** Documents can contain the other fields that `get` returns. They are ignored. */
const replies = {
  ApprovalPolicy: approvalPolicies["approval-policies.get"].reply,
  BusRoute: busRoutes["bus-routes.update"].reply,
  SavedView: savedViews["saved-views.get"].reply,
  Schedule: schedules["schedules.update"].reply,
  Settings: settings["settings.get"].reply,
} as const;

export type DeclaredDocument = z.output<(typeof documents)[number]>;

export type CheckedDocument =
  | { document: DeclaredDocument; issues: null }
  | { document: null; issues: Issue[] };

type UncheckedDocument = () => CheckedDocument;

export type DocumentKind = keyof typeof replies;

const kinds = Object.keys(replies) as DocumentKind[];

const checks = new Map(
  documents.map((schema) => {
    const kind = schema.shape.kind.value;
    const reply: z.ZodObject = replies[kind];
    const find = once(() =>
      unknownFieldsOf(
        schema,
        Object.keys(reply.shape).filter((name) => !(name in schema.shape)),
      ),
    );
    return [kind as string, { schema: schema as z.ZodType<DeclaredDocument>, unknown: find }];
  }),
);

type Def = z.core.$ZodDiscriminatedUnionDef;

const Checked = z.core.$constructor<z.ZodDiscriminatedUnion, Def>("Checked", (schema, def) => {
  z.ZodDiscriminatedUnion.init(schema, def);
  schema._zod.parse = (payload) => {
    const { value } = payload;
    payload.value = () => checked(value);
    return payload;
  };
});

export const declaredDocument = named(
  "DeclaredDocument",
  new Checked({
    type: "union",
    options: [...documents],
    discriminator: "kind",
    inclusive: false,
  }) as z.ZodType as z.ZodType<UncheckedDocument, z.input<(typeof documents)[number]>>,
);

function checked(input: unknown): CheckedDocument {
  if (!isJsonObject(input)) {
    return wrong([{ path: "", message: "must be an object: fields with values" }]);
  }
  const { kind } = input;
  const check = typeof kind === "string" ? checks.get(kind) : undefined;
  if (!check) return wrong([{ path: "kind", message: kindMessage(kind) }]);
  const unknown = check.unknown()(input);
  const parsed = check.schema.safeParse(input, withIssueWords);
  if (parsed.success && unknown.length === 0) return { document: parsed.data, issues: null };
  const issues = (parsed.error?.issues ?? []).map(({ path, message }) => ({
    path: path.join("."),
    message,
  }));
  return wrong([...issues, ...unknown]);
}

/** Returns the names of the fields that users can set. */
export function writableFields(kind: DocumentKind): string[] {
  const fields = documents.find(({ shape }) => shape.kind.value === kind)?.shape ?? {};
  return Object.keys(fields).filter((name) => name !== "kind");
}

/** Ignores the other fields that `get` returns. */
export function unknownFieldsIn(kind: DocumentKind, document: JsonObject): Issue[] {
  return checks.get(kind)?.unknown()(document) ?? [];
}

function wrong(issues: Issue[]): CheckedDocument {
  return { document: null, issues };
}

function kindMessage(kind: unknown): string {
  if (kind === undefined) return `is missing; it must be one of ${kinds.join(", ")}`;
  if (typeof kind !== "string") return `must be one of ${kinds.join(", ")}`;
  return `there is no kind ${kind}; ${suggestion(kind, "kinds", kinds)}`;
}
