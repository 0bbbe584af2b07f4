import { randomBytes } from "node:crypto";
import type { BodyInput } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { createUlid } from "../../lib/ulid.ts";
import { messageOf } from "../connection/errors.ts";
import type { PublishedEvent } from "./published-event.ts";

export type SealedEvent = BodyInput<Routes["agent.publish"]>;

/**
 * Adds an id and a time, so that every attempt sends the same event. Throws VALIDATION_FAILED. Also
 * throws PAYLOAD_TOO_LARGE, because the server may close the connection instead of responding.
 */
export function sealed(event: PublishedEvent): SealedEvent {
  const now = Date.now();
  const text = jsonOf({
    ...event,
    id: event.id ?? createUlid(now, randomBytes(10)),
    time: event.time ?? isoTime(now),
  });
  const bytes = Buffer.byteLength(text);
  const limitBytes = bodyLimitBytes.busEvent;
  if (bytes <= limitBytes) return JSON.parse(text);
  const message = `The event has ${bytes} bytes; the limit is ${limitBytes}.`;
  throw new AppError("PAYLOAD_TOO_LARGE", message, { details: { limitBytes } });
}

function jsonOf(event: PublishedEvent): string {
  try {
    return JSON.stringify(event);
  } catch (error) {
    const message = `is not JSON: ${messageOf(error)}`;
    throw validationFailed([{ path: "data", message }], "event");
  }
}
