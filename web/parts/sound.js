// The table heard: what was done and counted, spoken in the page's language, and chimes. Off until somebody turns it on.

import { chime, wake } from "../chimes.js";
import { fill, pressed } from "../html.js";
import { remember, remembered } from "../screen.js";
import { chimeOf, spoken } from "../telling.js";
import { say } from "../say.js";

const WHAT = "sound";

/**
 * Two buttons. What is newer ends what is still being said.
 * @type {import("../guard.js").Part}
 */
export function Sound(el) {
  let isOn = remembered(WHAT) === "on";
  /** @type {Api.Snapshot | null} */
  let heard = null;

  pressed(el, ({ sound }) => {
    isOn = sound === "on";
    remember(WHAT, isOn ? "on" : "off");
    if (isOn) wake();
    else globalThis.speechSynthesis?.cancel();
    draw();
  });
  addEventListener("pointerdown", () => isOn && wake(), { once: true });

  function draw() {
    const button = (/** @type {string} */ value, /** @type {string} */ words) => `<button type="button" class="button" data-sound="${value}"
      aria-pressed="${(value === "on") === isOn}">${words}</button>`;
    fill(el, `<span class="whose">${say("Sound")}</span> ${button("on", say("on"))} ${button("off", say("off"))}`);
  }

  return (snapshot) => {
    if (isOn && heard?.run === snapshot.run) tell(heard, snapshot);
    heard = snapshot;
    draw();
  };
}

/**
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
function tell(before, now) {
  const [sound, words] = [chimeOf(before, now), spoken(before, now)];
  if (sound) chime(sound);
  if (!words.length || !globalThis.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(words.join(" "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}
