// How the page keeps in touch, decided: what follows from each thing that happens to the link. Pure; link.js does it.
//
//   live ──failed──► lost ──answered──► polling ──heard──► live
//
// The stream is the way. A stream that fails is closed and made anew by us, for the browser gives up for good on a 503;
// where it cannot be had the page asks for the whole state again and again.

import { get } from "./api.js";
import { inLanguage } from "./i18n.js";

/**
 * `tried`: when a stream was last opened; `heard`: when one last told something, both in ms.
 * @typedef {{ link: "" | "live" | "polling" | "lost", tried: number, heard: number }} Touch
 */
/**
 * "opened" a stream · it was "heard" · it "failed" · a question was "answered" or stayed "unanswered".
 * @typedef {"opened" | "heard" | "failed" | "answered" | "unanswered"} Happening
 */
/**
 * The touch then, and what to do: `opens` or `closes` the stream, and when to ask for the state (0 at once, null not at all).
 * @typedef {{ touch: Touch, opens?: boolean, closes?: boolean, asks?: number | null }} Following
 */

const POLL_MS = 2000;
const LOST_MS = 1000;
const STREAM_MS = 5000;
const SILENT_MS = 15000;

/** @type {Touch} */
export const UNTOUCHED = { link: "", tried: 0, heard: 0 };

/**
 * What follows. Once a lost table answers again, a stream is tried at once; while it is only asked, every 5 s.
 * @param {Touch} touch
 * @param {Happening} happening
 * @param {number} now
 * @returns {Following}
 */
export function follows(touch, happening, now) {
  const { link, tried } = touch;
  if (happening === "opened") return { touch: { ...touch, tried: now } };
  if (happening === "heard") return { touch: { ...touch, link: "live", heard: now }, asks: null };
  if (happening === "failed") return { touch: { ...touch, link: link === "polling" ? link : "lost" }, closes: true, asks: 0 };
  if (link === "live") return { touch }; // the answer came when a stream had already been heard
  if (happening === "unanswered") return { touch: { ...touch, link: "lost" }, asks: LOST_MS };
  const opens = now - tried > (link === "polling" ? STREAM_MS : LOST_MS / 2);
  return { touch: { ...touch, link: "polling" }, opens, asks: POLL_MS };
}

/**
 * Whether a live stream has said nothing for so long that it may be dead, as when a phone changes networks.
 * @param {Touch} touch
 * @param {number} now
 */
export const isSilent = ({ link, heard }, now) => link === "live" && now - heard >= SILENT_MS;

// The newest snapshot, whatever happens to the network: a snapshot is a level, so whatever was missed is in the next.
// linking.js decides; here are the stream, the questions and the clock.

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
