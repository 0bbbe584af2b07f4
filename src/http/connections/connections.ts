// The open connections of the listener: how many there may be, in all and by address, which ones make room
// when there are too many, and that nobody asks for more while leaving the answers unread.
//
// A connection is idle when no request of a known caller is in hand on it. Only idle ones are closed to
// make room: the longest idle one of the address that has the most. So those who open connections and
// say nothing, or not enough, are in nobody's way, however many there are.
// (docs/decisions/0015-limits-on-clients.md)

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { LimitWatch, Usage } from "../../core/memory/limit-watch.ts";
import { AppError } from "../../domain/errors.ts";
import { clientNetwork, parseAddress } from "../../lib/addresses.ts";
import { LastWord } from "../refusals.ts";
import { type Neighbours, Seat } from "./seat.ts";
import { refuseConnection } from "./unparsable.ts";

/** No further request of a connection is taken while more than this waits to be read there. */
const maxUnreadBytes = 256 * 1024;
/** Requests of one connection that are not answered yet. */
const maxPipelined = 16;
/** A download may be on its way into a pager, where somebody reads it. */
const stalledDownloadMs = 600_000;
/** Beyond all others, and not for agents: operators get in when agents have taken everything. */
export const operatorConnections = 16;
/** Refused connections that are told why, at a time; the others are only closed. */
export const toldConnections = 16;

export interface ConnectionLimits {
  most: number;
  /** Of one address, or one /64 network of IPv6; proxies that are trusted are exempt. */
  mostPerAddress: number;
  isProxy: (ip: string) => boolean;
  /** A connection is closed when nothing of an answer was read for so long. */
  stalledMs: number;
}

/** Handles a request; to be ended with `answered`. */
type Take = (request: IncomingMessage, response: ServerResponse, seat: Seat) => void;

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #watch: LimitWatch;
  readonly #monotonic: () => number;
  readonly #take: Take;
  readonly #seats = new WeakMap<object, Seat>();
  readonly #open = new Set<Seat>();
  readonly #byAddress = new Map<string, Neighbours>();
  /** Over TLS: accepted, and the handshake is not over. By the other end's address and port. */
  readonly #shakingHands = new Map<string, Seat>();
  #told = 0;

  constructor(limits: ConnectionLimits, watch: LimitWatch, monotonic: () => number, take: Take) {
    this.#limits = limits;
    this.#watch = watch;
    this.#monotonic = monotonic;
    this.#take = take;
  }

  get usage(): Usage {
    return { used: this.#open.size, allowed: this.#limits.most };
  }

  /** Takes over who is let in from the server, and its requests. */
  attach(server: Server): void {
    // Node's own listener, which a refused connection must not reach.
    const accept = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      const seat = this.#admit(socket);
      if (!seat) {
        this.#refuse(socket, server instanceof TlsServer);
        return;
      }
      if (server instanceof TlsServer) this.#shakingHands.set(peerOf(socket), seat);
      else this.#seats.set(socket, seat);
      for (const listener of accept) listener.call(server, socket);
    });
    server.on("secureConnection", (socket: Socket) => {
      const peer = peerOf(socket);
      const seat = this.#shakingHands.get(peer);
      this.#shakingHands.delete(peer);
      if (!seat) return;
      seat.socket = socket;
      this.#seats.set(socket, seat);
    });
    const sweeping = setInterval(() => this.sweep(), Math.min(5000, this.#limits.stalledMs / 2));
    sweeping.unref();
    server.on("close", () => clearInterval(sweeping));
    server.on("request", (request, response) => this.#onRequest(request, response));
    // A wish that we do not know is no reason to refuse: it may be ignored.
    server.on("checkExpectation", (request, response) => this.#onRequest(request, response));
  }

  /** The seat of a connection that was let in. */
  seatOf({ socket }: IncomingMessage): Seat {
    const seat = this.#seats.get(socket);
    if (!seat) throw new Error("a request of a connection that was not let in");
    return seat;
  }

  /** For an agent on a connection that is kept for operators. */
  noRoom({ address }: Seat): LastWord {
    this.#watch.note("connections", { address });
    return new LastWord("UNAVAILABLE", tooManyConnections, retryLater);
  }

  /** A request was dealt with: its answer is on its way. */
  answered(seat: Seat): void {
    seat.unanswered--;
    // A client may have hung up meanwhile: what is closed makes no room.
    if (!this.#open.has(seat)) return;
    if (seat.unanswered === 0 && seat.waiting.length === 0) seat.vacate();
  }

  /** Closes the connections of which nothing is read. */
  sweep(): void {
    const now = this.#monotonic();
    for (const seat of this.#open) {
      const most = seat.isDownload ? stalledDownloadMs : this.#limits.stalledMs;
      if (seat.stalledForMs(now) < most) continue;
      this.#watch.note("stalledOutput", { address: seat.address });
      this.#close(seat);
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const seat = this.seatOf(request);
    if (seat.oldestAnswer === undefined && seat.waiting.length === 0) {
      seat.take(response);
      this.#take(request, response, seat);
    } else if (seat.inFlight >= maxPipelined) {
      this.#watch.note("pipelinedRequests", { address: seat.address });
      this.#close(seat);
    } else {
      seat.waiting.push([request, response]);
      if (seat.waiting.length === 1) setImmediate(() => this.#takeWaiting(seat));
    }
  }

  /** One in each turn of the event loop, so that the size of an answer is known before the next is made. */
  #takeWaiting(seat: Seat): void {
    const { oldestAnswer, waiting } = seat;
    if (seat.socket.destroyed) return;
    if (oldestAnswer && seat.unreadBytes > maxUnreadBytes) {
      oldestAnswer.once("close", () => this.#takeWaiting(seat));
      return;
    }
    const next = waiting.shift();
    if (!next) return;
    seat.take(next[1]);
    this.#take(...next, seat);
    if (waiting.length > 0) setImmediate(() => this.#takeWaiting(seat));
  }

  /** Null: there is no room. */
  #admit(socket: Socket): Seat | null {
    const ip = parseAddress(socket.remoteAddress ?? "") ?? "";
    const address = clientNetwork(ip);
    const { most, mostPerAddress, isProxy } = this.#limits;
    const neighbours = this.#byAddress.get(address) ?? { count: 0, idle: new Set() };
    if (neighbours.count >= mostPerAddress && !isProxy(ip) && !this.#makeRoom(neighbours)) {
      this.#watch.note("connectionsPerAddress", { address });
      return null;
    }
    if (this.#open.size >= most) this.#makeRoom(this.#heaviest(neighbours));
    if (this.#open.size >= most + operatorConnections) {
      this.#watch.note("connections", { address });
      return null;
    }
    const seat = new Seat(socket, address, neighbours, this.#open.size >= most);
    this.#byAddress.set(address, neighbours);
    neighbours.count++;
    seat.vacate();
    this.#open.add(seat);
    socket.once("close", () => this.#leave(seat));
    return seat;
  }

  /** Those of the address that has the most, among those that have idle ones. */
  #heaviest(ofNewcomer: Neighbours): Neighbours {
    // Looking at all of them is for the newcomer that has no more than its share.
    const share = this.#open.size / Math.max(1, this.#byAddress.size);
    if (ofNewcomer.idle.size > 0 && ofNewcomer.count >= share) return ofNewcomer;
    let heaviest = ofNewcomer;
    for (const each of this.#byAddress.values()) {
      const isBetter = each.count > heaviest.count || heaviest.idle.size === 0;
      if (each.idle.size > 0 && isBetter) heaviest = each;
    }
    return heaviest;
  }

  /** Closes the one that is idle longest. False: none is. */
  #makeRoom({ idle }: Neighbours): boolean {
    const [longest] = idle;
    if (!longest) return false;
    this.#watch.note("idleConnections", { address: longest.address });
    this.#close(longest);
    return true;
  }

  #close(seat: Seat): void {
    seat.socket.destroy();
    this.#leave(seat);
  }

  #leave(seat: Seat): void {
    seat.occupy();
    if (!this.#open.delete(seat)) return;
    const { address, neighbours, socket } = seat;
    neighbours.count--;
    if (neighbours.count === 0) this.#byAddress.delete(address);
    this.#shakingHands.delete(peerOf(socket));
  }

  #refuse(socket: Socket, isTls: boolean): void {
    socket.on("error", () => socket.destroy());
    if (isTls || this.#told >= toldConnections) {
      socket.destroy();
      return;
    }
    this.#told++;
    socket.once("close", () => this.#told--);
    refuseConnection(socket, new AppError("UNAVAILABLE", tooManyConnections, retryLater));
  }
}

const tooManyConnections = "Too many connections are open: try again soon.";
const retryLater = { retryAfterSeconds: 5 };

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
