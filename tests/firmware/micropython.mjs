// MicroPython with the firmware's files on its own disk, as they would lie on a microcontroller.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

export async function boot(firmware) {
  const python = await loadMicroPython({ linebuffer: true, heapsize: 256 * 1024 });
  python.FS.mkdir("/firmware");
  for (const name of fs.readdirSync(firmware)) {
    if (name.endsWith(".py")) python.FS.writeFile(`/firmware/${name}`, fs.readFileSync(path.join(firmware, name)));
  }
  run(python, "import sys; sys.path.insert(0, '/')");
  return python;
}

export function run(python, code) {
  try {
    return python.runPython(code);
  } catch (error) {
    if (error.name !== "PythonError") throw error;
    console.error(error.message);
    process.exit(1);
  }
}
