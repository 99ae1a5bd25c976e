// Runs a file of plain-assert tests under MicroPython: node run_micropython.mjs FIRMWARE TEST.py [FUNCTION TIMES]
// Prints the names of the tests that passed, one a line. A failure ends it with MicroPython's own traceback.
import fs from "node:fs";
import { boot, run } from "./micropython.mjs";

const [firmware, test, only, times] = process.argv.slice(2);
const python = await boot(firmware);
python.FS.writeFile("/story.py", fs.readFileSync(test));
run(python, `
import gc
import sys
assert sys.implementation.name == "micropython"
import story
`);
if (only) {
  for (let time = 0; time < Number(times); time++) run(python, `gc.collect(); story.${only}()`);
} else {
  run(python, `
for name in sorted(dir(story)):
    if name.startswith("test_"):
        getattr(story, name)()
        print(name)
`);
}
