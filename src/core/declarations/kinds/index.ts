import type { DeclarationKind } from "../../../domain/declarations.ts";
import type { DocumentOf, Kind } from "../kind.ts";
import { busRouteKind } from "./bus-route.ts";
import { savedViewKind } from "./saved-view.ts";
import { settingsKind } from "./settings.ts";

const kinds = {
  BusRoute: busRouteKind,
  SavedView: savedViewKind,
  Settings: settingsKind,
} satisfies { [K in DeclarationKind]: Kind<DocumentOf<K>> };

export type AnyKind = Kind<DocumentOf<DeclarationKind>>;

/** The documents and objects that a kind gets are of this kind. */
export function kindOf(name: DeclarationKind): AnyKind {
  return kinds[name] as AnyKind;
}
