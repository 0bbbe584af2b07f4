// Unpacks the browser. chromium.ts starts this program with TMPDIR set, because the package always
// unpacks into the temporary folder.

import { join } from "node:path";
import { inflate } from "@sparticuz/chromium";

const [, , packed = ""] = process.argv;
// The graphics library is left out, because the tests do not need it.
const parts = ["chromium.br", "fonts.tar.br", "al2023.tar.br"];
await Promise.all(parts.map((name) => inflate(join(packed, name))));
