import type { DeclarationKind } from "../../../domain/declarations.ts";
import type { DocumentOf, Kind } from "../kind.ts";
import { approvalPolicyKind } from "./approval-policy.ts";
import { busRouteKind } from "./bus-route.ts";
import { savedViewKind } from "./saved-view.ts";
import { scheduleKind } from "./schedule.ts";
import { settingsKind } from "./settings.ts";

const kinds = {
  ApprovalPolicy: approvalPolicyKind,
  BusRoute: busRouteKind,
  SavedView: savedViewKind,
  Schedule: scheduleKind,
  Settings: settingsKind,
} satisfies { [K in DeclarationKind]: Kind<DocumentOf<K>> };

type AnyKind = Kind<DocumentOf<DeclarationKind>>;

/** The caller must pass only documents and objects of this kind to the returned object. */
export function kindOf(name: DeclarationKind): AnyKind {
  return kinds[name] as AnyKind;
}
