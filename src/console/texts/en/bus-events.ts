// Pages of bus events.

export const busEvents = {
  event: "Event",
  received: "Received",
  source: "Source",
  subject: "Subject",
  route: "Route",
  routeGone: (name: string) => `${name} (deleted)`,
  outcome: "Outcome",
  noOutcome: "no route matched",
  command: "Command",
  depth: "Depth",
  depths: {
    0: "0: published from outside the bus",
    1: "1: caused by a bus event or by a command that the bus created",
  } as Record<number, string>,
  sourceEventId: "Publisher's id",
  causation: "Caused by",
  correlation: "Correlation",
  envelope: "Envelope",
  test: {
    title: "Test a route against this event",
    lead: "The test changes nothing and creates no command.",
    open: "Open the test",
    create: "New route for events like this",
  },
};
