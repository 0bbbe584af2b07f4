import { connect } from "node:net";
import type { HealthConfig } from "../config/config.ts";
import { networkReasonOf } from "../http-call.ts";

export type TcpProbe = NonNullable<HealthConfig["tcp"]>;

/** Opens and closes a connection. Throws an Error with the reason, or the signal's reason. */
export function probeTcp({ host, port }: TcpProbe, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect({ host, port });
    const onAbort = () => end(() => reject(signal.reason));
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", onAbort);
      socket.destroy();
      settle();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("connect", () => end(() => resolve(`${host}:${port} accepts connections`)));
    socket.on("error", (error) => {
      end(() => reject(new Error(`${host}:${port}: ${networkReasonOf(error)}`)));
    });
  });
}
