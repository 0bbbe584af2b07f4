// `platformctl completion`: the script for a shell.

import type { Invocation } from "../../command.ts";
import { type Shell, scripts } from "../../completion/scripts.ts";

export async function printCompletionScript({ io, args }: Invocation): Promise<void> {
  io.out(scripts[args[0] as Shell]);
}
