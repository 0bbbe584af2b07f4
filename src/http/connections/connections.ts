// Limits open connections. Only those without a complete request are closed to make room, so
// unfinished requests cannot keep other clients out.
// (docs/decisions/0015-limits-on-clients.md)

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { LimitWatch, Usage } from "../../core/limits/limit-watch.ts";
import { AppError } from "../../domain/errors.ts";
import { clientNetwork, parseAddress } from "../../lib/addresses.ts";
import { FinalRefusal } from "../refusals.ts";
import { type AddressConnections, ConnectionSlot, type ExceededLimit } from "./connection-slot.ts";
import { refuseConnection } from "./unparsable.ts";

/** While a connection has more unread bytes than this, its next requests wait. */
const maxUnreadBytes = 256 * 1024;
/** The maximum number of requests in progress on one connection. */
const maxPipelined = 16;
/** Downloads have more time than other responses, because a user may read one in a pager. */
const stalledDownloadMs = 600_000;
/** How many connections operators can open beyond the limits, in total and from one address. */
export const operatorConnections = 16;
/** How many refused connections get a response at the same time. Others are closed without one. */
export const refusedConnections = 16;

interface ConnectionLimits {
  most: number;
  /** Applies to one address or one IPv6 /64 network. Trusted proxies are exempt. */
  mostPerAddress: number;
  isProxy: (ip: string) => boolean;
  /** How long a client can leave its response unread before its connection is closed. */
  stalledMs: number;
}

/** Handles a request. Must call `finished` at the end. */
type Take = (request: IncomingMessage, response: ServerResponse, slot: ConnectionSlot) => void;

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #watch: LimitWatch;
  readonly #monotonic: () => number;
  readonly #take: Take;
  /** The slots of accepted sockets, and of the TLS sockets on top of them. */
  readonly #slots = new WeakMap<object, ConnectionSlot>();
  readonly #open = new Set<ConnectionSlot>();
  readonly #byAddress = new Map<string, AddressConnections>();
  /** All sockets share this listener, because each connection keeps its listeners in memory. */
  readonly #onClose: (this: Socket) => void;
  #refused = 0;

  constructor(limits: ConnectionLimits, watch: LimitWatch, monotonic: () => number, take: Take) {
    const connections = this;
    this.#onClose = function () {
      const slot = connections.#slots.get(this);
      if (slot) connections.#leave(slot);
    };
    this.#limits = limits;
    this.#watch = watch;
    this.#monotonic = monotonic;
    this.#take = take;
  }

  get usage(): Usage {
    return { used: this.#open.size, allowed: this.#limits.most };
  }

  attach(server: Server): void {
    // Node's own listener must not see refused connections.
    const accept = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      if (!this.#admit(socket)) {
        this.#refuse(socket, server instanceof TlsServer);
        return;
      }
      for (const listener of accept) listener.call(server, socket);
    });
    // Node keeps the accepted socket in `_parent`. Addresses and ports do not identify it: they are
    // unknown after a reset, and a client can use one port for several addresses of this server.
    server.on("secureConnection", (socket: Socket & { _parent: Socket }) => {
      const slot = this.slotOf(socket._parent);
      slot.socket = socket;
      this.#slots.set(socket, slot);
    });
    const sweeping = setInterval(() => this.sweep(), Math.min(5000, this.#limits.stalledMs / 2));
    sweeping.unref();
    server.on("close", () => clearInterval(sweeping));
    server.on("request", (request, response) => this.#onRequest(request, response));
    // Requests with an unknown Expect header are handled like any other.
    server.on("checkExpectation", (request, response) => this.#onRequest(request, response));
  }

  slotOf(socket: Socket): ConnectionSlot {
    const slot = this.#slots.get(socket);
    if (!slot) throw new Error("this connection was not accepted");
    return slot;
  }

  /** Returns the refusal for an agent on a connection beyond a limit. */
  noRoom({ beyond, address }: ConnectionSlot): FinalRefusal {
    this.#watch.note(beyond ?? "connections", { address });
    return new FinalRefusal("UNAVAILABLE", tooManyConnections, retryLater);
  }

  /** Must be called when a request has been handled and its response is being sent. */
  finished(slot: ConnectionSlot): void {
    slot.inProgress--;
    if (!this.#open.has(slot)) return; // the client has disconnected
    if (slot.inProgress === 0 && slot.waiting.length === 0) slot.vacate();
  }

  /** Closes connections whose clients have stopped reading. */
  sweep(): void {
    const now = this.#monotonic();
    for (const slot of this.#open) {
      const most = slot.isDownload ? stalledDownloadMs : this.#limits.stalledMs;
      if (slot.stalledForMs(now) < most) continue;
      this.#watch.note("stalledOutput", { address: slot.address });
      this.#close(slot);
    }
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const slot = this.slotOf(request.socket);
    if (slot.oldestResponse === undefined && slot.waiting.length === 0) {
      slot.take(response);
      this.#take(request, response, slot);
    } else if (slot.inFlight >= maxPipelined) {
      this.#watch.note("pipelinedRequests", { address: slot.address });
      this.#close(slot);
    } else {
      slot.waiting.push([request, response]);
      if (slot.waiting.length === 1) setImmediate(() => this.#takeWaiting(slot));
    }
  }

  /**
   * Starts one request per turn, so that the size of its response is known before the next request
   * starts.
   */
  #takeWaiting(slot: ConnectionSlot): void {
    const { oldestResponse, waiting } = slot;
    if (slot.socket.destroyed) return;
    if (oldestResponse && slot.unreadBytes > maxUnreadBytes) {
      oldestResponse.once("close", () => this.#takeWaiting(slot));
      return;
    }
    const next = waiting.shift();
    if (!next) return;
    slot.take(next[1]);
    this.#take(...next, slot);
    if (waiting.length > 0) setImmediate(() => this.#takeWaiting(slot));
  }

  /** Gives the connection a slot. Returns false if there is no room. */
  #admit(socket: Socket): boolean {
    const ip = parseAddress(socket.remoteAddress ?? "") ?? "";
    const address = clientNetwork(ip);
    const { most, mostPerAddress, isProxy } = this.#limits;
    const neighbours = this.#byAddress.get(address) ?? { count: 0, idle: new Set() };
    const mostOfThis = isProxy(ip) ? Number.POSITIVE_INFINITY : mostPerAddress;
    if (neighbours.count >= mostOfThis) this.#makeRoom(neighbours);
    if (this.#open.size >= most) this.#makeRoom(this.#heaviest(neighbours));
    const tooMany = (more: number): ExceededLimit | null => {
      if (neighbours.count >= mostOfThis + more) return "connectionsPerAddress";
      return this.#open.size >= most + more ? "connections" : null;
    };
    const refusal = tooMany(operatorConnections);
    if (refusal !== null) {
      this.#watch.note(refusal, { address });
      return false;
    }
    const slot = new ConnectionSlot(socket, address, neighbours, tooMany(0));
    this.#byAddress.set(address, neighbours);
    neighbours.count++;
    slot.vacate();
    this.#open.add(slot);
    this.#slots.set(socket, slot);
    socket.on("close", this.#onClose);
    return true;
  }

  /** Of the addresses with idle connections, returns the one with the most connections. */
  #heaviest(ofNewcomer: AddressConnections): AddressConnections {
    // An address that has more than its share makes room itself, which avoids the search.
    const share = this.#open.size / Math.max(1, this.#byAddress.size);
    if (ofNewcomer.idle.size > 0 && ofNewcomer.count >= share) return ofNewcomer;
    let heaviest = ofNewcomer;
    for (const each of this.#byAddress.values()) {
      const isBetter = each.count > heaviest.count || heaviest.idle.size === 0;
      if (each.idle.size > 0 && isBetter) heaviest = each;
    }
    return heaviest;
  }

  /** Closes the connection that has been idle longest, if any. */
  #makeRoom({ idle }: AddressConnections): void {
    const [longest] = idle;
    if (!longest) return;
    this.#watch.note("idleConnections", { address: longest.address });
    this.#close(longest);
  }

  #close(slot: ConnectionSlot): void {
    slot.socket.destroy();
    this.#leave(slot);
  }

  #leave(slot: ConnectionSlot): void {
    slot.occupy();
    if (!this.#open.delete(slot)) return;
    const { address, neighbours } = slot;
    neighbours.count--;
    if (neighbours.count === 0) this.#byAddress.delete(address);
  }

  #refuse(socket: Socket, isTls: boolean): void {
    socket.on("error", () => socket.destroy());
    if (isTls || this.#refused >= refusedConnections) {
      socket.destroy();
      return;
    }
    this.#refused++;
    socket.once("close", () => this.#refused--);
    refuseConnection(socket, new AppError("UNAVAILABLE", tooManyConnections, retryLater));
  }
}

const tooManyConnections = "Too many connections are open. Retry soon.";
const retryLater = { retryAfterSeconds: 5 };
