// A `python3` for tests on any machine: CPython in WebAssembly, with real sockets. Usage: node
// python-program.ts FOLDER PROGRAM ARGUMENT… Python looks for modules in FOLDER.

import { loadPyodide } from "pyodide";

const [folder = "", program = "", ...args] = process.argv.slice(2);
const python = await loadPyodide({
  env: { ...(process.env as Record<string, string>), HOME: "/home/pyodide" },
  stdout: (line) => console.log(line),
  stderr: (line) => console.error(line),
});
// biome-ignore lint/correctness/useHookAtTopLevel: it is not a hook of React
await python.useNodeSockFS();
python.mountNodeFS("/program", folder);
python.globals.set("argv", python.toPy([program, ...args]));
process.exitCode = await python.runPythonAsync(`
import runpy, sys
sys.argv = argv
sys.path.insert(0, "/program")
status = 0
try:
    runpy.run_path("/program/" + argv[0], run_name="__main__")
except SystemExit as end:
    status = end.code if isinstance(end.code, int) else 1
    if isinstance(end.code, str):
        print(end.code, file=sys.stderr)
status
`);
