export const roles = ["viewer", "operator", "owner"] as const;
export type Role = (typeof roles)[number];

/** The role `metrics` can only read the metrics. */
export const keyRoles = [...roles, "metrics"] as const;
export type KeyRole = (typeof keyRoles)[number];

/** With `registration`, the call itself contains a single-use token. */
export type Access = "public" | "registration" | "agent" | Role;

/** Whether this is the access of operators, who have a role. */
export function isForOperators(access: Access): access is Role {
  return roles.some((role) => role === access);
}

export interface AgentPrincipal {
  kind: "agent";
  agentId: string;
  agentCode: string;
  tokenId: string;
}

export interface UserPrincipal {
  kind: "user";
  userId: string;
  username: string;
  role: Role;
  sessionId: string;
}

export interface ApiKeyPrincipal {
  kind: "apiKey";
  keyId: string;
  name: string;
  role: KeyRole;
  /** These never change, and are known even after the key was deleted (see `NewApiKey`). */
  userId: string | null;
  makerId: string | null;
}

export type Principal =
  | AgentPrincipal
  | UserPrincipal
  | ApiKeyPrincipal
  /** An operator who opened the database directly, and may therefore do everything. */
  | { kind: "local"; osUser: string }
  | { kind: "anonymous" }
  /** The service itself, when it runs a job. */
  | { kind: "system" };

/** Returns null for agents, metrics keys, anonymous callers and the service itself. */
export function roleOf(principal: Principal): Role | null {
  if (isMetricsKey(principal)) return null;
  if (principal.kind === "user" || principal.kind === "apiKey") return principal.role as Role;
  return principal.kind === "local" ? "owner" : null;
}

export function isMetricsKey(principal: Principal): boolean {
  return principal.kind === "apiKey" && principal.role === "metrics";
}

/** Whether a user with the role `role` can have a key with the role `keyRole`. */
export function mayHoldKey(role: Role, keyRole: KeyRole): boolean {
  // Only owners can read the metrics.
  return mayActAs(role, keyRole === "metrics" ? "owner" : keyRole);
}

export function mayActAs(role: Role | null, needed: Role): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(needed);
}

/** Returns the id by which a caller's limits are counted, or null. */
export function credentialOf(principal: Principal): string | null {
  if (principal.kind === "agent") return principal.agentId;
  if (principal.kind === "apiKey") return principal.keyId;
  return principal.kind === "user" ? principal.userId : null;
}
