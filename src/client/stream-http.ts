// The live stream over HTTP: a WebSocket. Only clients that watch import this file.

import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import { streamLimits } from "../domain/limits.ts";
import { jsonOrUndefined } from "../lib/json/json-or-undefined.ts";
import type { StreamMessage, TransportAnswer } from "./client.ts";
import { trustOf, type Way } from "./dispatcher.ts";
import { MessageQueue } from "./message-queue.ts";
import { retryAfterSecondsOf } from "./retry-after.ts";
import { tunnelTo } from "./tunnel.ts";

const handshakeMs = 10_000;
/** The server pings at intervals. A connection without a ping for this long counts as dead. */
const silenceMs = streamLimits.pingSeconds * 1500;
/** No message from the server comes close to this size. */
const maxMessageBytes = 16 * 1024 * 1024;

export interface StreamPlace {
  /** The URL with `http:` or `https:`. */
  url: string;
  /** The headers include the credential. */
  headers: Record<string, string>;
  way: Way;
  signal?: AbortSignal | undefined;
  /** Turns a connection error into the error for the caller. */
  transportError: (error: unknown) => Error;
}

/** Opens the stream, or returns the response that the server sent instead. */
export async function openWebSocket(place: StreamPlace): Promise<TransportAnswer> {
  const { headers, way, signal, transportError } = place;
  signal?.throwIfAborted();
  const tunnel = await tunnelTo(place.url, way, signal).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : transportError(error);
  });
  const socket = new WebSocket(place.url.replace(/^http/, "ws"), {
    headers,
    handshakeTimeout: handshakeMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    ...trustOf(way),
    ...(tunnel === null ? {} : { createConnection: () => tunnel }),
  });
  const queue = new MessageQueue<StreamMessage>({
    target: place.url,
    leave: () => socket.terminate(),
  });
  const end = (error: Error) => {
    queue.fail(error);
    socket.terminate();
  };
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      end(signal?.reason);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    socket.on("error", (error) => {
      const failure = transportError(error);
      end(failure);
      reject(failure);
    });
    socket.on("unexpected-response", (_request, answer) => {
      answerOf(answer)
        .then(resolve, (error) => reject(transportError(error)))
        .finally(() => socket.terminate());
    });
    socket.on("open", () => {
      const stopListening = endWhenSilent(socket, () =>
        end(transportError(new Error("the server stopped sending"))),
      );
      socket.once("close", stopListening);
      resolve({ status: 101, body: undefined, messages: queue });
    });
    socket.on("message", (data) => {
      const message = jsonOrUndefined(String(data));
      if (message) queue.push(message as StreamMessage);
      else end(transportError(new Error("the server sent a message that is not JSON")));
    });
    socket.on("close", (code, reason) => {
      signal?.removeEventListener("abort", onAbort);
      const said = String(reason);
      const why = said === "" ? "connection lost" : said;
      const failure = transportError(new Error(code === 1006 ? "connection lost" : why));
      queue.fail(failure);
      reject(failure);
    });
  });
}

function endWhenSilent(socket: WebSocket, end: () => void): () => void {
  const timer = setTimeout(end, silenceMs);
  const refresh = () => void timer.refresh();
  socket.on("ping", refresh).on("message", refresh);
  return () => clearTimeout(timer);
}

async function answerOf(answer: IncomingMessage): Promise<TransportAnswer> {
  return {
    status: answer.statusCode ?? 0,
    body: jsonOrUndefined(await text(answer)),
    retryAfterSeconds: retryAfterSecondsOf(answer.headers),
  };
}
