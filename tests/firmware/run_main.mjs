// Starts a main.py under MicroPython as a Pico does, and writes what is then on its disk as JSON: node run_main.mjs MAIN.py OUT.json
// The reset of the chip is an exception here.
import fs from "node:fs";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";
import { run } from "./micropython.mjs";

const [main, out] = process.argv.slice(2);
const python = await loadMicroPython({ linebuffer: true, heapsize: 160 * 1024 });
python.FS.writeFile("/main.py", fs.readFileSync(main));
run(python, `
import json, os, sys
os.chdir("/")
sys.path.insert(0, "/")
class Reset(Exception):
    pass
class machine:
    def reset():
        raise Reset
sys.modules["machine"] = machine
with open("main.py") as file:
    program = file.read()
try:
    exec(program)
except Reset:
    was_reset = True
def list_files(folder):
    for name, kind, *_ in os.ilistdir(folder or "/"):
        path = folder + "/" + name
        if kind == 0x4000:
            yield from list_files(path)
        elif name.endswith((".py", ".json")):
            yield path
disk = {path[1:]: open(path).read() for path in list(list_files("/firmware")) + ["/main.py", "/board.json"]}
disk["reset"] = was_reset
with open("/out.json", "w") as file:
    json.dump(disk, file)
`);
fs.writeFileSync(out, python.FS.readFile("/out.json"));
