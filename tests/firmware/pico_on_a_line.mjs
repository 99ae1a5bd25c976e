// A Pico on a serial line: MicroPython with the raw REPL that mpremote speaks to, a disk, and main.py run at each start.
// node pico_on_a_line.mjs LINE DISK   (LINE is a file descriptor, DISK a folder that holds what the Pico's disk holds)
// What the strip was last sent is in the file DISK/../pixels. A display refuses with the error in DISK/../display, if any.
import fs from "node:fs";
import path from "node:path";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const LINE = Number(process.argv[2]);
const DISK = process.argv[3];
const nothing = new Int32Array(new SharedArrayBuffer(4));
let printed = [];
let resetting = false;

const sleep = (ms) => Atomics.wait(nothing, 0, 0, ms);

function heard() {
  const bytes = Buffer.alloc(256);
  try {
    return bytes.subarray(0, fs.readSync(LINE, bytes));
  } catch (error) {
    if (error.code !== "EAGAIN" && error.code !== "EIO") throw error;
    return Buffer.alloc(0);
  }
}

function send(data) {
  for (let rest = Buffer.from(data); rest.length; ) {
    try {
      rest = rest.subarray(fs.writeSync(LINE, rest));
    } catch (error) {
      if (error.code === "EIO") return; // nobody has the port
      if (error.code !== "EAGAIN") throw error;
      sleep(1);
    }
  }
}

// The pins and the cable, as boards/pico.py finds them on a Pico; the chain reads what is in the file DISK/../chain,
// octets in hexadecimal, the first clocked in first; an input at ground is a 0.
const SHIM = `
import sys, time, pins
from binascii import hexlify, unhexlify

class Machine:
    class Pin:
        IN, OUT, PULL_UP = 0, 1, 2
        def __init__(self, *given, **more): pass
        def value(self, level=None): return 1
    class SPI:
        def __init__(self, *given, **more): pass
        def readinto(self, octets): octets[:] = unhexlify(pins.chain(len(octets)))
    class PWM:
        def __init__(self, pin): pass
        def freq(self, hz): pass
        def duty_u16(self, duty): pass
    class I2C:
        def __init__(self, *given, **more): pass
        def writeto(self, address, data):
            if (error := pins.display_error()): raise OSError(int(error))
    class WDT:
        def __init__(self, timeout): pass
        def feed(self): pass
    mem32 = {}
    def unique_id(self): return b"\\xe6\\x61"
    def reset(self): pins.reset()

class Cable:
    def __init__(self):
        self.waiting, self.interrupts = b"", True
    def kbd_intr(self, key):
        self.interrupts = key == 3
    def poll(self, ms=0):
        self.waiting += unhexlify(pins.heard())
        if self.interrupts and b"\\x03" in self.waiting:
            self.waiting = b""
            raise KeyboardInterrupt
        return self.waiting
    def register(self, *given): pass
    def read(self, count):
        data, self.waiting = self.waiting[:count], self.waiting[count:]
        return data
    def write(self, data): pins.send(hexlify(data).decode())

class Given:
    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, name, value)

class Time:
    ticks_ms, ticks_diff = time.ticks_ms, time.ticks_diff
    def sleep_ms(self, ms): pins.sleep(ms)

class Rp2:  # what the state machine would do is told in test_strip.py
    class PIO:
        OUT_LOW = SHIFT_LEFT = 0
    class StateMachine:
        def __init__(self, *given, **more): pass
        def active(self, on): pass
    class DMA:
        def pack_ctrl(self, **given): return 0
        def config(self, read, count, **given): pins.shown(hexlify(read[:count]).decode())
        def close(self): pass
    def asm_pio(self, **given): return lambda program: program

sys.modules["machine"] = Machine()
sys.modules["rp2"] = Rp2()
cable = Cable()

def run_main():
    try:
        import firmware.boards.pico as pico
        pico.select = Given(poll=lambda: cable, POLLIN=1)
        pico.sys = Given(stdin=Given(buffer=cable), stdout=Given(buffer=cable), implementation=Given(_machine="RP2040"))
        pico.time = Time()
        pico.micropython = Given(kbd_intr=cable.kbd_intr)
    except ImportError:
        pass
    try:
        exec(open("main.py").read(), {})
    except KeyboardInterrupt:
        cable.write(b"Traceback (most recent call last):\\r\\nKeyboardInterrupt: \\r\\n")
`;

async function start() {
  const python = await loadMicroPython({
    linebuffer: false,
    heapsize: 512 * 1024,
    stdout: (bytes) => printed.push(Buffer.from(bytes)),
  });
  python.registerJsModule("pins", {
    heard: () => heard().toString("hex"),
    send: (hex) => send(Buffer.from(hex, "hex")),
    sleep,
    shown: (hex) => {
      fs.writeFileSync(path.join(DISK, "../pixels.new"), hex);
      fs.renameSync(path.join(DISK, "../pixels.new"), path.join(DISK, "../pixels"));
    },
    reset: () => {
      resetting = true;
      throw new Error("reset");
    },
    display_error: () => {
      const file = path.join(DISK, "../display");
      return fs.existsSync(file) ? fs.readFileSync(file, "latin1") : "";
    },
    chain: (octets) => fs.readFileSync(path.join(DISK, "../chain"), "latin1").trim().slice(0, 2 * octets),
  });
  copy(python, "/", DISK);
  python.runPython("import sys, os; os.chdir('/'); sys.path.insert(0, '/')");
  python.runPython(SHIM);
  return python;
}

function copy(python, to, from) {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      python.FS.mkdir(to + entry.name);
      copy(python, `${to}${entry.name}/`, path.join(from, entry.name));
    } else python.FS.writeFile(to + entry.name, fs.readFileSync(path.join(from, entry.name)));
  }
}

const OWN = new Set([".", "..", "dev", "proc", "tmp", "home", "lib"]);

function keep(python, from = "/", to = DISK) {
  for (const name of fs.readdirSync(to)) {
    if (!python.FS.analyzePath(from + name).exists) fs.rmSync(path.join(to, name), { recursive: true });
  }
  for (const name of python.FS.readdir(from)) {
    if (OWN.has(name)) continue;
    const place = path.join(to, name);
    if (python.FS.isDir(python.FS.stat(from + name).mode)) {
      fs.mkdirSync(place, { recursive: true });
      keep(python, `${from}${name}/`, place);
    } else fs.writeFileSync(place, python.FS.readFile(from + name));
  }
}

// What follows OK: the output, the error, each ended by a byte 4.
function execute(python, code) {
  printed = [];
  let error = "";
  try {
    python.runPython(code);
  } catch (raised) {
    // Emscripten has numbers of its own for what is not there, and for what is there already.
    error = raised.message.replace("OSError: 44", "OSError: [Errno 2] ENOENT").replace("OSError: 20", "OSError: [Errno 17] EEXIST");
  }
  send("OK");
  send(Buffer.concat(printed));
  send(`\x04${error}\x04>`);
  keep(python);
}

let python = await start();
let raw = false;
let typed = "";
const RAW = "raw REPL; CTRL-B to exit\r\n>";

function runMain() {
  if (fs.existsSync(path.join(DISK, "main.py"))) python.runPython("run_main()");
  send("MicroPython on a line\r\n>>> ");
}

async function take(byte) {
  const sign = String.fromCharCode(byte);
  if (sign === "\x03") typed = "";
  else if (sign === "\x01" && typed === "\x05A") {
    typed = "";
    send("R\x00");
  } else if (sign === "\x01") {
    raw = true;
    typed = "";
    send(RAW);
  } else if (sign === "\x02") {
    raw = false;
    send(">>> ");
  } else if (sign === "\x04" && raw && typed.trim() === "") {
    typed = "";
    send(`OK\r\nMPY: soft reboot\r\n${RAW}`);
    python = await start();
  } else if (sign === "\x04" && raw) {
    const code = typed;
    typed = "";
    execute(python, Buffer.from(code, "latin1").toString("utf8"));
  } else typed += raw ? sign : "";
  if (resetting) {
    resetting = raw = false;
    python = await start();
    runMain();
  }
}

runMain();
for (;;) {
  const bytes = heard();
  if (!bytes.length) sleep(2);
  for (const byte of bytes) await take(byte);
}
