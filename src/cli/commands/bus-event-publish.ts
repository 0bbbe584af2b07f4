// `platformctl events publish`: an event from a file, from flags, or from both.

import type { Routes } from "../../api/index.ts";
import type { BodyInput } from "../../api/route.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Invocation } from "../command.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../io.ts";
import { isForPeople, type OutputOptions } from "../output.ts";
import { BadRouteFile, fileError, parseObject, readFileOrStdin } from "../route-file.ts";
import { printEvent } from "./bus-events.ts";

interface PublishOptions extends OutputOptions {
  file?: string;
  type?: string;
  source?: string;
  id?: string;
  subject?: string;
  data?: string;
  cause?: string;
}

/** The event is taken when this ends 0, whatever came of it. */
export async function publishEvent({ io, options, client }: Invocation): Promise<void> {
  const body = await eventOf(io, options as PublishOptions);
  const published = await (await client()).call("bus-events.publish", { body });
  printEvent(io, options as OutputOptions, published);
  if (!isForPeople(options as OutputOptions)) return;
  if (published.duplicate) io.note("\nIt was here already: nothing was stored or routed again.\n");
  else if (published.routes.length === 0) io.note("\nIt matches no route that is switched on.\n");
}

/** What the flags say goes over what the file says. */
async function eventOf(
  io: Io,
  options: PublishOptions,
): Promise<BodyInput<Routes["bus-events.publish"]>> {
  const { file, type, source, id, subject, data, cause } = options;
  if (file === "-" && data === "-") {
    throw usageError("--file - and --data -: standard input can be one of them only.");
  }
  const said = {
    type,
    source,
    id,
    subject,
    causationid: cause,
    data: data === undefined ? undefined : await readData(io, data),
  };
  const flags = Object.entries(said).filter(([, value]) => value !== undefined);
  const event = {
    ...(file === undefined ? {} : await readEvent(io, file)),
    ...Object.fromEntries(flags),
  };
  if (file === undefined && (type === undefined || source === undefined)) {
    throw usageError("give the event: --file FILE (or -), or --type TYPE and --source CODE.");
  }
  return event as BodyInput<Routes["bus-events.publish"]>;
}

async function readEvent(io: Io, path: string): Promise<JsonObject> {
  const text = await readFileOrStdin(io, "--file", path);
  try {
    return parseObject(text, "an event");
  } catch (error) {
    throw error instanceof BadRouteFile ? fileError(path, error.problems) : error;
  }
}

async function readData(io: Io, source: string): Promise<Json> {
  const path = source.startsWith("@") ? source.slice(1) : source === "-" ? source : null;
  const text = path === null ? source : await readFileOrStdin(io, "--data", path);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw usageError(`--data is not JSON: ${(error as Error).message}`);
  }
}
