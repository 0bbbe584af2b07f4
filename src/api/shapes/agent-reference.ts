import { z } from "zod";
import { namedObject } from "../contract/schema-names.ts";
import { idOf } from "../contract/schemas.ts";

export const agentReference = namedObject("AgentReference", { id: idOf("agt"), code: z.string() });
