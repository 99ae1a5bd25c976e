// The page as an app: it opens without its table, keeps the screen on during a game, and vibrates when it is this phone's
// turn. Most of this needs https or localhost.

import { myHand } from "../../components/cards/my-hand.js";
import { formatMessage } from "../../core/i18n.js";
import { isSecure, SEAT } from "../../core/preferences.js";

const VIBRATION_MS = 120;

/** @type {WakeLockSentinel | null} */
let wakeLock = null;

/** Request or release the screen wake lock. @param {boolean} isOn */
async function setWakeLock(isOn) {
  if (!isOn) {
    await wakeLock?.release();
    wakeLock = null;
  } else if (isSecure() && document.visibilityState === "visible" && (!wakeLock || wakeLock.released)) {
    wakeLock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }
}

/**
 * Whether it has just become the turn of this phone's seat.
 * @param {Pick<Api.Snapshot, "turn" | "run"> | null} before
 * @param {Pick<Api.Snapshot, "turn" | "run">} now
 * @param {number | null} seat
 */
export const isTurnNew = (before, now, seat) => seat !== null && before?.run === now.run && now.turn === seat && before.turn !== seat;

/** Everything that happens at a snapshot besides drawing. @type {import("../../core/component.js").Component} */
export function AppFeatures(el) {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  if (!isSecure()) el.textContent = formatMessage("Without https you can play everything, but the screen may turn off, and the page opens only while the table answers. Start companion play --tls to change that.");
  document.addEventListener("visibilitychange", () => newest && setWakeLock(newest.phase !== "over"));
  return (snapshot) => {
    const isTurnNow = isTurnNew(newest, snapshot, myHand.seat ?? SEAT);
    if (isTurnNow && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
    newest = snapshot;
    setWakeLock(snapshot.phase !== "over" && snapshot.moves > 0);
  };
}
