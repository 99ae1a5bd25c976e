// A board: the firmware's node in MicroPython, its line on a file descriptor, its contacts set by hex lines on stdin.
// node node_on_a_line.mjs FIRMWARE HOLES LINE
import fs from "node:fs";
import readline from "node:readline";
import { boot, run } from "./micropython.mjs";

const [firmware, holes, descriptor] = process.argv.slice(2);
const LINE = Number(descriptor);
let contacts = "00";

function heard() {
  const bytes = Buffer.alloc(256);
  try {
    return bytes.subarray(0, fs.readSync(LINE, bytes)).toString("hex");
  } catch (error) {
    return nobody(error, "");
  }
}

function send(hex) {
  try {
    fs.writeSync(LINE, Buffer.from(hex, "hex"));
  } catch (error) {
    nobody(error); // lost, as on a USB cable
  }
}

function nobody(error, instead) {
  if (error.code !== "EAGAIN" && error.code !== "EIO") throw error;
  return instead;
}

const python = await boot(firmware);
python.registerJsModule("pins", {
  contacts: () => contacts,
  heard,
  send,
});
// Does what boards/pico.py does on a Pico.
run(python, `
import time
from binascii import hexlify, unhexlify
import pins
from firmware.chain import plain_board
from firmware.node import Node

node = Node(plain_board(${Number(holes)}), lambda: int(pins.contacts(), 16), lambda data: pins.send(hexlify(data).decode()))

def turn():
    node.receive_data(unhexlify(pins.heard()))
    node.step(time.ticks_ms())
`);
readline.createInterface({ input: process.stdin }).on("line", (line) => (contacts = line));
process.stdin.on("end", () => process.exit(0));
const turn = python.globals.get("turn");
setInterval(turn, 1);
