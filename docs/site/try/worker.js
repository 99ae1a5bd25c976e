// The table: the shipped Python in a worker. Its threads are stacks that the browser suspends, driven by timers.

const FILES = new URL("files/", self.location.href);
const KEPT = "/kept";
const KEEP_MS = 300;
const TIDY_MS = 10_000;

/** Report what is being done, and which part of it is done. @param {string} what @param {number} part */
const report = (what, part) => self.postMessage({ what, part });

/** What stacks go on with, one after the other: two that went on in the same task would write over each other's memory. */
/** @type {(() => void)[]} */
const ready = [];
const { port1: next, port2: turn } = new MessageChannel();
turn.onmessage = () => ready.shift()?.();
/** @param {() => void} proceed */
function enqueue(proceed) {
  ready.push(proceed);
  next.postMessage(null);
}

Object.assign(self, {
  /** A wait of a stack: its promise is kept after `end`, or after this time in ms unless that is negative. */
  createWait(/** @type {number} */ ms) {
    /** @type {(value?: undefined) => void} */
    let proceed;
    const promise = new Promise((resolve) => void (proceed = resolve));
    let timer = ms < 0 ? 0 : setTimeout(() => enqueue(proceed), ms);
    const end = () => {
      clearTimeout(timer);
      enqueue(proceed);
    };
    return { promise, end };
  },
  startStack: (/** @type {any} */ run) => enqueue(() => run.callPromising().finally(() => run.destroy())),
});

/** Requests that came before the table was there wait for it. */
const table = open();
self.onmessage = async ({ data, ports: [port] }) => (await table)(data, port);
await table;
self.postMessage({ isReady: true });

/** Load Python and the program, and start the table. Return the function that answers a request at a port. */
async function open() {
  const sizes = await (await fetch(new URL("sizes.json", FILES))).json();
  await loadFiles(sizes);
  report("Setting up the table", 1);
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", FILES).href);
  const python = await loadPyodide({ indexURL: new URL("pyodide/", FILES).href });
  const program = await (await fetch(new URL("table.zip", FILES))).arrayBuffer();
  python.unpackArchive(program, "zip", { extractDir: "/table" });
  python.FS.mkdirTree(KEPT);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, KEPT);
  const exchange = (/** @type {boolean} */ isStart) => new Promise((resolve) => python.FS.syncfs(isStart, resolve));
  await exchange(true);
  await python.runPythonAsync(`import sys; sys.path.insert(0, "/table"); import board; board.start("${KEPT}")`);
  const { answer, has_changed, snapshot_number, gc } = python.pyimport("board");
  const keep = async () => {
    const kept = snapshot_number();
    if (has_changed()) await exchange(false);
    self.postMessage({ kept });
    setTimeout(keep, KEEP_MS);
  };
  keep();
  setInterval(() => gc.collect(), TIDY_MS); // between stacks: see stacks.py

  return async (/** @type {any} */ request, /** @type {MessagePort} */ port) => {
    const reply = {
      isGone: false,
      begin: (/** @type {number} */ status, /** @type {any} */ headers) => port.postMessage({ status, headers: headers.toJs() }),
      send(/** @type {any} */ part) { // a buffer of Python's, which is copied
        const bytes = part.toJs();
        port.postMessage(bytes, [bytes.buffer]);
      },
      end: () => port.postMessage(null),
    };
    port.onmessage = () => void (reply.isGone = true);
    enqueue(() => answer.callPromising(python.toPy(request), reply));
  };
}

/** Load all files, so that the service worker has them, and report how much of them is there. @param {Record<string, number>} sizes */
async function loadFiles(sizes) {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  for (const name of Object.keys(sizes)) {
    const what = name.startsWith("pyodide/") ? "Loading Python" : "Loading the table";
    report(what, loaded / total);
    const reader = /** @type {any} */ ((await fetch(new URL(name, FILES))).body).getReader();
    for (let part; !(part = await reader.read()).done; ) report(what, (loaded += part.value.length) / total);
  }
}
