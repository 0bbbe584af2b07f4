// Runs as a separate program with its own TMPDIR, because the package always unpacks into the
// temporary folder.

import { join } from "node:path";
import { inflate } from "@sparticuz/chromium";

const [, , packed = ""] = process.argv;
// The tests do not need the graphics library, so it is left out.
const parts = ["chromium.br", "fonts.tar.br", "al2023.tar.br"];
await Promise.all(parts.map((name) => inflate(join(packed, name))));
