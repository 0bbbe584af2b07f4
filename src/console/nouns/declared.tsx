// Objects that files declare. Users can change them here, but the next `platformctl apply` of the
// files reverses these changes. (docs/guides/declarations.md)

import { FileCode } from "lucide-react";
import type { DeclaredIn } from "../../domain/declarations.ts";
import { texts } from "../texts/index.ts";
import "./declared.css";

const words = texts.declared;

interface DeclaredProps {
  /** An object of any noun. */
  of: object;
}

function placeOf(of: object): DeclaredIn | null | undefined {
  return (of as { declaredIn?: DeclaredIn | null }).declaredIn;
}

export function whereDeclared({ of }: DeclaredProps): string | null {
  const place = placeOf(of);
  if (!place) return null;
  const { set, file } = place;
  return file === null ? words.bySet({ set }) : words.byFile({ set, file });
}

export function DeclaredBadge({ of }: DeclaredProps) {
  const where = whereDeclared({ of });
  if (where === null) return null;
  return (
    <span className="declared-badge" title={where}>
      <FileCode aria-hidden="true" />
      <span>{where}</span>
    </span>
  );
}

/**
 * For a row, which has room only for the file's name. Screen readers read the whole text, and a
 * tooltip shows it.
 */
export function DeclaredSign({ of }: DeclaredProps) {
  const where = whereDeclared({ of });
  const place = placeOf(of);
  if (where === null || !place) return null;
  return (
    <span className="declared-badge" title={where}>
      <FileCode aria-hidden="true" />
      <span aria-hidden="true">{place.file ?? place.set}</span>
      <span className="visually-hidden">{where}</span>
    </span>
  );
}

/** Shown where the object can be changed or deleted. */
export function DeclaredNote({ of }: DeclaredProps) {
  const where = whereDeclared({ of });
  if (where === null) return null;
  return (
    <p className="card note declared-note">
      <FileCode aria-hidden="true" />
      <span>{words.note({ managedBy: where })}</span>
    </p>
  );
}

/** The note for several objects, of which some may be declared. */
export function DeclaredAmong({ rows }: { rows: readonly object[] }) {
  const declared = rows.filter((of) => whereDeclared({ of }) !== null);
  if (declared.length === 0) return null;
  return (
    <p className="card note declared-note">
      <FileCode aria-hidden="true" />
      <span>{words.some({ many: declared.length })}</span>
    </p>
  );
}
