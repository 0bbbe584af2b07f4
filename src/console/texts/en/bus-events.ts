// Pages of the events of the bus.

export const busEvents = {
  event: "Event",
  received: "Came in",
  source: "Source",
  subject: "Subject",
  route: "Route",
  routeGone: (name: string) => `${name} (deleted)`,
  outcome: "What came of it",
  noOutcome: "no route matched",
  command: "Command",
  depth: "Depth",
  depths: { 0: "0: from outside the bus", 1: "1: comes of what the bus has made" } as Record<
    number,
    string
  >,
  sourceEventId: "Id of the publisher",
  causation: "Caused by",
  correlation: "Correlation",
  envelope: "Envelope",
  test: {
    title: "Test a route against it",
    lead: "It writes nothing: no command is made.",
    open: "Open the test",
    create: "New route for such events",
  },
};
