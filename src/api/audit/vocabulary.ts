// The words that audit events are made of, for those who offer them as filters. No schema is among them:
// who imports this does not bring the schemas along.

export {
  actorTypes,
  auditActions,
  auditResults,
  auditTargetTypes,
  exportFormats,
} from "../../domain/audit/audit-events.ts";
