import { z } from "zod";
import { changeKinds, declarationKinds } from "../domain/declarations.ts";
import { bodyLimitBytes, maxDeclarations, workLimits } from "../domain/limits.ts";
import { listOf } from "./contract/bounded.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { jsonObject } from "./contract/schemas.ts";
import { breakGlass } from "./shapes/approval-schemas.ts";
import { declaredDocument } from "./shapes/declared-documents.ts";

const declaration = namedObject("Declaration", {
  file: z.string().min(1).max(1000).describe("The name of the file, for the audit trail."),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: "must be 64 hexadecimal digits" })
    .describe("The SHA-256 of the file."),
  document: declaredDocument,
});

const request = {
  set: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, {
      error: "must start with a letter or digit and contain only letters, digits and . _ -",
    })
    .default("default")
    .describe("The name of the set of declarations that the request contains."),
  documents: listOf(declaration, maxDeclarations).describe("All declarations in the set."),
  prune: z
    .boolean()
    .default(false)
    .describe("Whether to delete objects that the set used to contain and no longer does."),
};

const change = namedObject("DeclarationChange", {
  kind: named("DeclarationKind", z.enum(declarationKinds)),
  name: z.string().describe("The name of the object. For settings, it is `settings`."),
  change: named("DeclarationChangeKind", z.enum(changeKinds)).describe(
    "What happens to the object. `adopted`: the object already had this content, and now " +
      "belongs to the set.",
  ),
  id: z.string().nullable().describe("The id of the object; null if it does not exist yet."),
  file: z.string().nullable().describe("The name of the file. Null if the object is deleted."),
  before: jsonObject
    .nullable()
    .describe(
      "The stored declaration, with secrets redacted. Null if the object is created, or if " +
        "nothing changes.",
    ),
  after: jsonObject
    .nullable()
    .describe("The new declaration. Null if the object is deleted, or if nothing changes."),
  warnings: z
    .array(z.string())
    .describe(
      "Warnings, for example that the object would currently fail, that agents can change a label on which it depends, or that a value is probably a mistake.",
    ),
  awaitingApproval: z.boolean().describe("Whether the object has no effect until it is approved."),
});

const reply = namedObject("DeclarationChanges", {
  set: z.string().describe("The name of the set of declarations."),
  plan: z
    .string()
    .describe(
      "Identifies exactly these changes. Send it when you apply the set, to allow only these " +
        "changes.",
    ),
  changes: z
    .array(change)
    .describe("The changes, in the order of the documents, followed by the deletions."),
});

export const declarations = defineRoutes({
  "declarations.preview": {
    method: "POST",
    changesNothing: true,
    path: "/api/admin/declarations/preview",
    access: "viewer",
    summary: "Show the changes that a set of declarations would make, without making them",
    description: "If the set contains settings, the call requires the owner role.",
    body: namedObject("PreviewDeclarationsRequest", request),
    bodyLimit: bodyLimitBytes.declarations,
    workLimit: workLimits.declarations,
    heavy: true,
    reply,
  },
  "declarations.apply": {
    method: "POST",
    path: "/api/admin/declarations/apply",
    access: "operator",
    summary: "Make the stored objects match a set of declarations, in one transaction",
    description:
      "The server creates and updates objects, which it identifies by kind and name. If any " +
      "document has a mistake, nothing is changed, and the response lists all mistakes. If " +
      "you apply the same documents again, nothing changes, unless they contain secrets in " +
      "plain text. If the set contains settings or approval policies, the call requires the " +
      "owner role.",
    body: namedObject("ApplyDeclarationsRequest", {
      ...request,
      plan: z
        .string()
        .max(100)
        .optional()
        .describe(
          "The `plan` of a preview. If the changes would differ from that preview, nothing is changed.",
        ),
      breakGlass,
    }),
    bodyLimit: bodyLimitBytes.declarations,
    workLimit: workLimits.declarations,
    heavy: true,
    reply,
    errors: ["DECLARATIONS_CHANGED", "APPROVAL_REQUIRED"],
  },
});
