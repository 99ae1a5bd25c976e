// The newest snapshot, whatever happens to the network. The stream is the way; where it cannot be had the page
// asks for the whole state again and again, for a snapshot is a level: whatever was missed is in the next.
//
//   live ──error──► lost ──state read──► polling ──stream opens──► live
//
// A stream that fails is closed and made anew by us: the browser gives up for good on a 503.

const POLL_MS = 2000;
const LOST_MS = 1000;
const STREAM_MS = 5000;
const SILENT_MS = 15000;
const PATIENCE_MS = 4000;

/** Call `take(snapshot)` with each that comes and `tell("live" | "polling" | "lost")` at each change. For ever. */
export function follow(take, tell) {
  let stream = null;
  let timer = 0;
  let tried = 0;
  let heard = 0;
  let link = "";

  const become = (now) => now !== link && tell((link = now));

  function listen() {
    stream?.close();
    tried = Date.now();
    const mine = (stream = new EventSource("/api/stream"));
    mine.onmessage = (message) => {
      clearTimeout(timer);
      heard = Date.now();
      take(JSON.parse(message.data));
      become("live");
    };
    mine.onerror = () => {
      if (mine === stream) fail();
    };
  }

  function fail() {
    stream?.close();
    stream = null;
    if (link !== "polling") become("lost");
    poll();
  }

  async function poll() {
    clearTimeout(timer);
    const wasLost = link !== "polling";
    let found;
    try {
      found = await state();
    } catch {
      if (link !== "live") become("lost");
      return again(LOST_MS);
    }
    if (link === "live") return;
    take(found);
    become("polling");
    if (Date.now() - tried > STREAM_MS || (wasLost && Date.now() - tried > LOST_MS / 2)) listen();
    again(POLL_MS);
  }

  function again(ms) {
    clearTimeout(timer);
    if (link !== "live") timer = setTimeout(poll, ms);
  }

  /** A stream can go dead without a word, as when a phone changes networks: ask after a long silence. */
  async function check() {
    if (!stream || link !== "live" || Date.now() - heard < SILENT_MS) return;
    heard = Date.now();
    try {
      take(await state());
    } catch {
      fail();
    }
  }

  const wake = () => document.visibilityState === "visible" && link !== "live" && listen();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("offline", fail);
  addEventListener("pageshow", (event) => event.persisted && listen());
  setInterval(check, SILENT_MS / 3);
  listen();
}

async function state() {
  const reply = await fetch("/api/state", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!reply.ok) throw new Error(reply.statusText);
  return reply.json();
}
