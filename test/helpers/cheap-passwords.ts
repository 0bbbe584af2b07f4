// Cheap password hashes for tests that do not test passwords, because a real hash takes a third of
// a second.

import type { ScryptCost } from "../../src/core/access/passwords.ts";

export const cheapScryptCost: ScryptCost = { log2N: 4, r: 8, p: 1 };
