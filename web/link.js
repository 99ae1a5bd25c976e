// The newest snapshot, whatever happens to the network: a snapshot is a level, so whatever was missed is in the next.
// linking.js decides; here are the stream, the questions and the clock.

import { get } from "./get.js";
import { follows, isSilent, UNTOUCHED } from "./linking.js";
import { inLanguage } from "./say.js";

/** @import { Happening } from "./linking.js" */

const LOOK_MS = 5000;

/**
 * Call `take(snapshot)` with each that comes and `tell(link)` at each change. For ever.
 * @param {(snapshot: Api.Snapshot) => void} take
 * @param {(link: "live" | "polling" | "lost") => void} tell
 */
export function follow(take, tell) {
  /** @type {EventSource | null} */
  let stream = null;
  let touch = UNTOUCHED;
  let timer = 0;

  /** @param {Happening} happening */
  function happens(happening) {
    const before = touch.link;
    const { touch: now, opens = false, closes = false, asks } = follows(touch, happening, Date.now());
    touch = now;
    if (closes) stream?.close(), (stream = null);
    if (now.link && now.link !== before) tell(now.link);
    if (asks !== undefined) clearTimeout(timer);
    if (asks === 0) ask();
    else if (asks) timer = setTimeout(ask, asks);
    if (opens) listen();
  }

  function listen() {
    stream?.close();
    happens("opened");
    const mine = (stream = new EventSource(inLanguage("/api/stream")));
    mine.onmessage = (message) => {
      take(JSON.parse(message.data));
      happens("heard");
    };
    mine.onerror = () => {
      if (mine === stream) happens("failed");
    };
  }

  async function ask() {
    try {
      take(await get("/api/state"));
      happens("answered");
    } catch {
      happens("unanswered");
    }
  }

  /** Whether a silent stream still lives, only the table can tell. */
  async function check() {
    if (!isSilent(touch, Date.now())) return;
    touch = { ...touch, heard: Date.now() };
    try {
      take(await get("/api/state"));
    } catch {
      happens("failed");
    }
  }

  const wake = () => document.visibilityState === "visible" && touch.link !== "live" && listen();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("offline", () => happens("failed"));
  addEventListener("pageshow", (event) => event.persisted && listen());
  setInterval(check, LOOK_MS);
  listen();
}
