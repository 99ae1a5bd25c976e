// What makes the page an app, where the browser lets it: it opens without its table and says so, the screen stays on
// while a game is on, and the phone trembles when it is its seat's turn. Most of that needs https, or localhost.

import { own } from "../components/my-hand.js";
import { say } from "./i18n.js";
import { SEAT } from "./preferences.js";

const TREMBLE_MS = 120;
/** Over plain http there are none of these, and the page says so in one line. */
export const isWhole = () => globalThis.isSecureContext === true;

/** Keep this page for when nothing answers. */
export function keepPage() {
  if (isWhole()) navigator.serviceWorker?.register("/sw.js").catch(() => {});
}

/** @type {WakeLockSentinel | null} */
let lock = null;

/**
 * Hold the screen on, or let it go.
 * @param {boolean} isOn
 */
async function hold(isOn) {
  if (!isOn) {
    await lock?.release();
    lock = null;
  } else if (isWhole() && document.visibilityState === "visible" && (!lock || lock.released)) {
    lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}

/**
 * Whether it has just become this phone's turn.
 * @param {Pick<Api.Snapshot, "turn" | "run"> | null} before
 * @param {Pick<Api.Snapshot, "turn" | "run">} now
 * @param {number | null} seat
 */
export const isCalled = (before, now, seat) => seat !== null && before?.run === now.run && now.turn === seat && before.turn !== seat;

/**
 * What happens besides drawing, snapshot by snapshot.
 * @type {import("./component.js").Part}
 */
export function App(el) {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  if (!isWhole()) el.textContent = say("Over plain http everything can be played as ever; only the screen may go dark, and the page opens only where its table answers. companion play --tls brings both.");
  document.addEventListener("visibilitychange", () => newest && hold(newest.phase !== "over"));
  return (snapshot) => {
    const called = isCalled(newest, snapshot, own.seat ?? SEAT);
    if (called && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TREMBLE_MS);
    newest = snapshot;
    hold(snapshot.phase !== "over" && snapshot.moves > 0);
  };
}
