// Started by chromium.ts with TMPDIR: the package unpacks into the temporary folder, and nowhere else.

import { join } from "node:path";
import { inflate } from "@sparticuz/chromium";

const [, , packed = ""] = process.argv;
// The graphics library is not among them: the tests draw without one.
const parts = ["chromium.br", "fonts.tar.br", "al2023.tar.br"];
await Promise.all(parts.map((name) => inflate(join(packed, name))));
