// How the page keeps in touch, decided: what follows from each thing that happens to the link. Pure; link.js does it.
//
//   live ──failed──► lost ──answered──► polling ──heard──► live
//
// The stream is the way. A stream that fails is closed and made anew by us, for the browser gives up for good on a 503;
// where it cannot be had the page asks for the whole state again and again.

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
