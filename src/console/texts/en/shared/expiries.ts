// When something that is made now shall expire.

export const expiries = {
  hour: "In 1 hour",
  day: "In 24 hours",
  week: "In 7 days",
  days30: "In 30 days",
  days90: "In 90 days",
  year: "In 1 year",
  never: "Never",
};
