// Declarations: descriptions of objects in files. An apply makes the objects equal to the files.

import type { Role } from "./access/principals.ts";

/** Where a declaration comes from. It is recorded with each change that an apply makes. */
export interface Origin {
  /** The name of the set of files, such as `default`. */
  set: string;
  /** The file, as the caller names it; null if the set no longer contains the object. */
  file: string | null;
  /** The SHA-256 of the file in hexadecimal form. */
  digest: string | null;
}

/** Which files declare an object. */
export interface Declared {
  /** The set of files; null for an object that was made by hand. */
  declared: string | null;
  /**
   * Null for an object that was made by hand, and if only servers of older versions, which do not
   * store the file, have applied the set.
   */
  declaredFile: string | null;
}

/** `Declared` in the form of the API. */
export interface DeclaredIn {
  set: string;
  file: string | null;
}

const byHand: Declared = { declared: null, declaredFile: null };

/** Returns where an object is declared after a change. A change by hand leaves it in its set. */
export function declaredBy(
  origin: Origin | null,
  { declared, declaredFile }: Declared = byHand,
): Declared {
  if (origin === null) return { declared, declaredFile };
  return { declared: origin.set, declaredFile: origin.file };
}

export function declaredIn({ declared, declaredFile }: Declared): DeclaredIn | null {
  return declared === null ? null : { set: declared, file: declaredFile };
}

/** The roles that a caller needs to preview changes of each kind and to apply them. */
export const declarationRoles = {
  ApprovalPolicy: { preview: "viewer", apply: "owner" },
  BusRoute: { preview: "viewer", apply: "operator" },
  SavedView: { preview: "viewer", apply: "operator" },
  Schedule: { preview: "viewer", apply: "operator" },
  Settings: { preview: "owner", apply: "owner" },
} as const satisfies Record<string, { preview: Role; apply: Role }>;

export type DeclarationKind = keyof typeof declarationRoles;

/** The order in which an apply changes objects. Kinds on which others depend come first. */
export const declarationKinds = [
  "Settings",
  "ApprovalPolicy",
  "SavedView",
  "BusRoute",
  "Schedule",
] as const satisfies readonly DeclarationKind[];

/** The nouns whose items can be declared, with the kinds of their declarations. */
export const declaredNouns: Readonly<Record<string, DeclarationKind>> = {
  "approval-policies": "ApprovalPolicy",
  "bus-routes": "BusRoute",
  "saved-views": "SavedView",
  schedules: "Schedule",
};

export const changeKinds = ["created", "updated", "adopted", "deleted", "unchanged"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Metadata of an audit event that an apply has caused. */
export function originFacts(origin: Origin | null): { declared?: Partial<Origin> } {
  if (origin === null) return {};
  const { set, file, digest } = origin;
  return { declared: file === null ? { set } : { set, file, digest } };
}
