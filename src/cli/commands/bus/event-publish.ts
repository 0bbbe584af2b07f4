import { randomBytes } from "node:crypto";
import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { ServerError } from "../../../client/failures.ts";
import { Unreachable } from "../../../client/unreachable.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { createUlid } from "../../../lib/ulid.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { isForPeople } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { readEvent } from "../../rules/rule-file.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { noteFacts } from "../../terminal/notes.ts";
import { exactJsonIn, textFrom } from "../actions/payload.ts";
import { printEvent } from "./bus-events.ts";

type Sent = Body<"bus-events.publish">;
type Published = Reply<"bus-events.publish">;

type PublishOptions = Record<string, string | undefined>;

/** Chooses the event's id before sending, so that a repeated call creates no duplicate. */
export async function publishEvent(invocation: Invocation): Promise<void> {
  const { io, options, client } = invocation;
  const event = await eventOf(invocation);
  const { requestId } = options as PublishOptions;
  const newId = `cli_${createUlid(io.now(), randomBytes(10))}`;
  // A call that is repeated with the same request id must send the same event id.
  const body = { ...event, id: event.id ?? requestId ?? newId };
  const api = await client();
  const published = await publish(api, body).catch((error: unknown) => {
    if (mayBeAccepted(error)) {
      const { source, id } = body;
      const again = `publish it again with --id ${printableLine(`${id}`)}`;
      const text = `If you are not sure that the event was accepted, ${again}.`;
      noteFacts(io, options, text, { event: { source, id } });
    }
    throw error;
  });
  printEvent(io, options, published);
  if (!isForPeople(options)) return;
  if (published.duplicate)
    io.note("\nThe event already existed: nothing was stored or routed again.\n");
  else if (published.routes.length === 0)
    io.note("\nThe event matches no route that is ENABLED or DRY_RUN.\n");
}

/** Without a response from the server, the event may have been accepted. */
function mayBeAccepted(error: unknown): boolean {
  if (error instanceof Unreachable || error instanceof Interrupted) return true;
  const status = error instanceof AppError ? error.details?.status : null;
  const fromGateway = error instanceof ServerError ? error.status : status;
  return fromGateway === 502 || fromGateway === 504;
}

/** Throws an error with a suggestion for an unknown source. */
async function publish(api: Client, body: Sent & { id: string }): Promise<Published> {
  try {
    return await api.call("bus-events.publish", { body });
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === "BUS_SOURCE_NOT_FOUND";
    if (isUnknown) await getNamed(api, "services", body.source);
    throw error;
  }
}

async function eventOf({ io, options, signal }: Invocation): Promise<Sent> {
  const { file, type, source, id, subject, data, cause } = options as PublishOptions;
  const values = {
    type,
    source,
    id,
    subject,
    causationid: cause,
    data: data === undefined ? undefined : await readData(io, data, signal),
  };
  const flags = Object.entries(values).filter(([, value]) => value !== undefined);
  const event = {
    ...(file === undefined ? {} : await readEvent(io, "--file", file, signal)),
    ...Object.fromEntries(flags),
  };
  if (file === undefined && (type === undefined || source === undefined)) {
    throw usageError(
      "give the event with --file FILE (or -), or with --type TYPE and --source CODE.",
    );
  }
  return event as Sent;
}

async function readData(io: Io, source: string, signal: AbortSignal): Promise<Json> {
  const text = await textFrom(io, "--data", source, signal);
  return exactJsonIn("--data", text, ` (text needs quotes: '"text"')`);
}
