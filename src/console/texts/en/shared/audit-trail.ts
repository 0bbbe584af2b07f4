// What was done to one thing, on its page.

export const auditTrail = {
  label: "Audit events",
  empty: "The audit trail has nothing about it.",
  actionOn: (action: string, service: string) => `${action} on ${service}`,
  step: (from: string, to: string) => `from ${from} to ${to}`,
  all: (total: string) => `All ${total} events in the audit trail`,
};
