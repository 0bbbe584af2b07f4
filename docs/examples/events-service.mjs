// A service that offers its events to the forwarding adapter of `platform agent run`. The adapter needs
// only `GET /capsule/bus/events`. Start the service with `PORT=8090 node events-service.mjs`, and create
// an event with `curl -X POST http://127.0.0.1:8090/orders`.
//
// For brevity, it keeps its events in memory. A real service would store them in its database, and delete
// old ones only after every adapter has read them.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

/** Oldest first. An id is never reused: to the server, a repeated id is the same event. */
const events = [];

function record(type, data) {
  events.push({ id: randomUUID(), time: new Date().toISOString(), type, data });
}

/** The events after `after`. Starts at the oldest if `after` is absent or no longer known. */
function eventsAfter(after, limit) {
  const from = events.findIndex(({ id }) => id === after) + 1;
  return events.slice(from, from + limit);
}

let orders = 0;

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const answer = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.method === "GET" && pathname === "/capsule/bus/events") {
    const limit = Number(searchParams.get("limit") ?? 100);
    answer(200, { events: eventsAfter(searchParams.get("after"), limit) });
  } else if (request.method === "POST" && pathname === "/orders") {
    orders++;
    record("order.created", { number: orders });
    answer(201, { number: orders });
  } else {
    answer(404, { error: "Not found." });
  }
});

server.listen(Number(process.env.PORT ?? 8090), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.once("SIGTERM", () => server.close());
