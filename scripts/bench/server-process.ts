import { startHelper } from "./helper-process.ts";

export interface ServerProcess {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

export async function startBareServer(signal: AbortSignal): Promise<ServerProcess> {
  const { pid, message, stop } = startHelper<never, { port: number }>("bare-server.ts", signal);
  return { ...(await message()), pid, stop };
}
