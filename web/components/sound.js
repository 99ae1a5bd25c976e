// The table heard: what was done and counted, spoken in the page's language, and chimes. Off until somebody turns it on.

import { fill, pressed } from "../core/dom.js";
import { say } from "../core/i18n.js";
import { remember, remembered } from "../core/preferences.js";

const WHAT = "sound";

/**
 * Two buttons. What makes the sound is asked for when it is turned on.
 * @type {import("../core/component.js").Part}
 */
export function Sound(el) {
  let isOn = remembered(WHAT) === "on";
  /** @type {Api.Snapshot | null} */
  let heard = null;
  /** @type {typeof import("../audio/announcer.js") | null} */
  let aloud = null;

  const load = async () => (aloud ??= await import("../audio/announcer.js").catch(() => null));
  const listen = async () => (await load())?.listen();

  pressed(el, ({ sound }) => {
    isOn = sound === "on";
    remember(WHAT, isOn ? "on" : "off");
    if (isOn) listen();
    else globalThis.speechSynthesis?.cancel();
    draw();
  });
  addEventListener("pointerdown", () => isOn && listen(), { once: true });
  if (isOn) load();

  function draw() {
    const button = (/** @type {string} */ value, /** @type {string} */ words) => `<button type="button" class="button" data-sound="${value}"
      aria-pressed="${(value === "on") === isOn}">${words}</button>`;
    fill(el, `<span class="whose">${say("Sound")}</span> ${button("on", say("on"))} ${button("off", say("off"))}`);
  }

  return (snapshot) => {
    const before = heard;
    heard = snapshot;
    if (isOn && before?.run === snapshot.run) load().then((each) => each?.tell(before, snapshot));
    draw();
  };
}
