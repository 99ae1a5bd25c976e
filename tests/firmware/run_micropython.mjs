// Runs a file of plain-assert tests under MicroPython: node run_micropython.mjs FIRMWARE TEST.py [FUNCTION]
// Prints the names of the tests that passed, one a line. A failure ends it with MicroPython's own traceback.
import fs from "node:fs";
import { boot, run } from "./micropython.mjs";

const [firmware, test, only] = process.argv.slice(2);
const python = await boot(firmware);
python.FS.writeFile("/story.py", fs.readFileSync(test));
run(python, `
import sys
assert sys.implementation.name == "micropython"
import story
for name in sorted(dir(story)):
    if name == "${only ?? ""}" or (name.startswith("test_") and ${only ? "False" : "True"}):
        getattr(story, name)()
        print(name)
`);
