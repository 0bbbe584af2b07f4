// Connects the live stream through a proxy, which the WebSocket library does not support.

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { connectMs, trustOf, trustOfProxy, type Way } from "./dispatcher.ts";
import { proxyUrl } from "./proxy.ts";

/** Returns null if there is no proxy. Rejects with the error of the socket or the proxy. */
export async function tunnelTo(url: string, way: Way, signal?: AbortSignal) {
  if (way.proxy === undefined) return null;
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  const socket = await ask(`${hostname}:${port || (isTls ? 443 : 80)}`, way.proxy, way, signal);
  if (!isTls) return socket;
  const host = hostname.replace(/^\[(.+)\]$/, "$1");
  const servername = isIP(host) === 0 ? host : "";
  return connectTls({ socket, host, servername, ...trustOf(way), ALPNProtocols: ["http/1.1"] });
}

function ask(authority: string, proxy: string, way: Way, signal?: AbortSignal): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxyUrl(proxy));
  const isTls = protocol === "https:";
  const user = decodeURIComponent(username);
  const basic = Buffer.from(`${user}:${decodeURIComponent(password)}`).toString("base64");
  return new Promise((resolve, reject) => {
    const asked = (isTls ? httpsRequest : httpRequest)({
      host: hostname.replace(/^\[(.+)\]$/, "$1"),
      port: port || (isTls ? 443 : 80),
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(user === "" ? {} : { "proxy-authorization": `Basic ${basic}` }),
      },
      agent: false,
      timeout: connectMs,
      ...(isTls ? trustOfProxy(way) : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    asked.on("timeout", () =>
      asked.destroy(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" })),
    );
    asked.on("error", reject);
    asked.on("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new Error(`Proxy response (${statusCode}) to CONNECT`));
    });
    asked.end();
  });
}
