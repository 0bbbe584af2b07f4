// `platformctl events publish`: an event from a file, from flags, or from both.

import { randomBytes } from "node:crypto";
import type { BodyInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { ServerError } from "../../../client/failures.ts";
import { Unreachable } from "../../../client/unreachable.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Json, JsonObject } from "../../../domain/payload/json.ts";
import { createUlid } from "../../../lib/ulid.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { resolveService } from "../../names/resolve.ts";
import { isForPeople, type OutputOptions } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { printEvent } from "./bus-events.ts";
import { BadRouteFile, fileError, parseObject, readFileOrStdin } from "./route-file.ts";

type Sent = BodyInput<Routes["bus-events.publish"]>;
type Published = ReplyData<Routes["bus-events.publish"]>;

interface PublishOptions extends OutputOptions {
  file?: string;
  type?: string;
  source?: string;
  id?: string;
  subject?: string;
  data?: string;
  cause?: string;
  requestId?: string;
}

/**
 * The event is taken when this ends 0, whatever came of it. It has an id before it is sent: where no answer
 * came, the same again with that id is the same event.
 */
export async function publishEvent(invocation: Invocation): Promise<void> {
  const { io, options, client } = invocation;
  const event = await eventOf(invocation);
  const { requestId } = options as PublishOptions;
  // Repeated under a request id, it must be the same event.
  const body = { ...event, id: event.id ?? requestId ?? newId(io.now()) };
  const api = await client();
  const published = await publish(api, body).catch((error: unknown) => {
    if (mayBeTaken(error) && isForPeople(options as OutputOptions)) {
      const id = printableLine(`${body.id}`);
      io.note(`If you are not sure that it was taken, publish it again with --id ${id}.\n`);
    }
    throw error;
  });
  printEvent(io, options as OutputOptions, published);
  if (!isForPeople(options as OutputOptions)) return;
  if (published.duplicate) io.note("\nIt was here already: nothing was stored or routed again.\n");
  else if (published.routes.length === 0) io.note("\nIt matches no route that is switched on.\n");
}

/** The answer was lost: on the way, by who did not wait for it, or by a gateway that had none. */
function mayBeTaken(error: unknown): boolean {
  if (error instanceof Unreachable || error instanceof Interrupted) return true;
  const status = error instanceof AppError ? error.details?.status : null;
  const fromGateway = error instanceof ServerError ? error.status : status;
  return fromGateway === 502 || fromGateway === 504;
}

function newId(now: number): string {
  return `cli_${createUlid(now, randomBytes(10))}`;
}

/** A source that is mistyped is told with what it may have meant. */
async function publish(api: Client, body: Sent & { id: string }): Promise<Published> {
  try {
    return await api.call("bus-events.publish", { body });
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === "BUS_SOURCE_NOT_FOUND";
    if (isUnknown) await resolveService(api, body.source);
    throw error;
  }
}

/** What the flags say goes over what the file says. */
async function eventOf({ io, options, signal }: Invocation): Promise<Sent> {
  const { file, type, source, id, subject, data, cause } = options as PublishOptions;
  if (file === "-" && data === "-") {
    throw usageError("--file - and --data -: standard input can be one of them only.");
  }
  const said = {
    type,
    source,
    id,
    subject,
    causationid: cause,
    data: data === undefined ? undefined : await readData(io, data, signal),
  };
  const flags = Object.entries(said).filter(([, value]) => value !== undefined);
  const event = {
    ...(file === undefined ? {} : await readEvent(io, file, signal)),
    ...Object.fromEntries(flags),
  };
  if (file === undefined && (type === undefined || source === undefined)) {
    throw usageError("give the event: --file FILE (or -), or --type TYPE and --source CODE.");
  }
  return event as Sent;
}

async function readEvent(io: Io, path: string, signal: AbortSignal): Promise<JsonObject> {
  const text = await readFileOrStdin(io, "--file", path, signal);
  try {
    return parseObject(text, "an event");
  } catch (error) {
    throw error instanceof BadRouteFile ? fileError(path, error.problems) : error;
  }
}

async function readData(io: Io, source: string, signal: AbortSignal): Promise<Json> {
  const path = source.startsWith("@") ? source.slice(1) : source === "-" ? source : null;
  const text = path === null ? source : await readFileOrStdin(io, "--data", path, signal);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const { message } = error as Error;
    throw usageError(`--data is not JSON (text is, in quotes: '"text"'): ${message}`);
  }
}
