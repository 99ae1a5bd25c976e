// The connection to the table: a server-sent event stream, with polling of the whole state as the fallback.
//
//   live ──failed──► lost ──answered──► polling ──received──► live
//
// A snapshot is a complete state, so a missed one needs no repair. A failed stream is closed and opened again here,
// because a browser never reconnects after a 503.

import { fetchApi } from "./api.js";
import { withLanguage } from "./i18n.js";

/**
 * The state of the connection. `openedMs`: when a stream was last opened; `receivedMs`: when it last delivered a message; in ms.
 * @typedef {{ link: "" | "live" | "polling" | "lost", openedMs: number, receivedMs: number }} ConnectionState
 */
/**
 * A stream was "opened", "received" a message or "failed"; a poll was "answered" or "unanswered".
 * @typedef {"opened" | "received" | "failed" | "answered" | "unanswered"} ConnectionEvent
 */
/**
 * The next state and what to do: open or close the stream, and in how many ms to poll (0: now, null: stop polling).
 * @typedef {{ state: ConnectionState, opensStream?: boolean, closesStream?: boolean, pollInMs?: number | null }} Transition
 */

const POLL_MS = 2000;
const LOST_POLL_MS = 1000;
const STREAM_RETRY_MS = 5000;
const SILENCE_LIMIT_MS = 15000;
/** How long a poll waits for its answer: an unanswered one shows that the connection is lost. */
const POLL_TIMEOUT_MS = 4000;

/** @type {ConnectionState} */
export const INITIAL_STATE = { link: "", openedMs: 0, receivedMs: 0 };

/**
 * Return what follows from an event. While the page polls, it tries to open a stream every 5 s; after a lost
 * connection, at once.
 * @param {ConnectionState} state
 * @param {ConnectionEvent} event
 * @param {number} now
 * @returns {Transition}
 */
export function nextState(state, event, now) {
  const { link, openedMs } = state;
  if (event === "opened") return { state: { ...state, openedMs: now } };
  if (event === "received") return { state: { ...state, link: "live", receivedMs: now }, pollInMs: null };
  if (event === "failed") return { state: { ...state, link: link === "polling" ? link : "lost" }, closesStream: true, pollInMs: 0 };
  if (link === "live") return { state }; // a poll was answered after the stream had delivered
  if (event === "unanswered") return { state: { ...state, link: "lost" }, pollInMs: LOST_POLL_MS };
  const opensStream = now - openedMs > (link === "polling" ? STREAM_RETRY_MS : LOST_POLL_MS / 2);
  return { state: { ...state, link: "polling" }, opensStream, pollInMs: POLL_MS };
}

/**
 * Whether a live stream has been silent for so long that it may be dead, for example after a change of network.
 * @param {ConnectionState} state
 * @param {number} now
 */
export const isSilent = ({ link, receivedMs }, now) => link === "live" && now - receivedMs >= SILENCE_LIMIT_MS;

const SILENCE_CHECK_MS = 5000;

const fetchState = () => fetchApi("/api/state", "", POLL_TIMEOUT_MS);

/**
 * Follow the table for as long as the page is open: call `onSnapshot` with each snapshot and `onLink` at each change of the link.
 * @param {(snapshot: Api.Snapshot) => void} onSnapshot
 * @param {(link: "live" | "polling" | "lost") => void} onLink
 */
export function followTable(onSnapshot, onLink) {
  /** @type {EventSource | null} */
  let stream = null;
  let state = INITIAL_STATE;
  let timer = 0;

  /** @param {ConnectionEvent} event */
  function handleEvent(event) {
    const before = state.link;
    const { state: next, opensStream = false, closesStream = false, pollInMs } = nextState(state, event, Date.now());
    state = next;
    if (closesStream) stream?.close(), (stream = null);
    if (next.link && next.link !== before) onLink(next.link);
    if (pollInMs !== undefined) clearTimeout(timer);
    if (pollInMs === 0) pollState();
    else if (pollInMs) timer = setTimeout(pollState, pollInMs);
    if (opensStream) openStream();
  }

  function openStream() {
    stream?.close();
    handleEvent("opened");
    const source = (stream = new EventSource(withLanguage("/api/stream")));
    source.onmessage = (message) => {
      onSnapshot(JSON.parse(message.data));
      handleEvent("received");
    };
    source.onerror = () => {
      if (source === stream) handleEvent("failed");
    };
  }

  async function pollState() {
    try {
      onSnapshot(await fetchState());
      handleEvent("answered");
    } catch {
      handleEvent("unanswered");
    }
  }

  /** Poll once if the stream is silent: only an answer can show whether it is dead. */
  async function checkSilence() {
    if (!isSilent(state, Date.now())) return;
    state = { ...state, receivedMs: Date.now() };
    try {
      onSnapshot(await fetchState());
    } catch {
      handleEvent("failed");
    }
  }

  const reconnect = () => document.visibilityState === "visible" && state.link !== "live" && openStream();
  document.addEventListener("visibilitychange", reconnect);
  addEventListener("online", reconnect);
  addEventListener("offline", () => handleEvent("failed"));
  addEventListener("pageshow", (event) => event.persisted && openStream());
  setInterval(checkSilence, SILENCE_CHECK_MS);
  openStream();
}
