// The sound switch: chimes, and speech in the language of the page. Off by default.

import { morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { loadSetting, saveSetting } from "../../core/preferences.js";

const SETTING = "sound";

/** Two buttons. The module that makes the sound is loaded when it is turned on. @type {import("../../core/component.js").Component} */
export function SoundSwitch(el) {
  let isOn = loadSetting(SETTING) === "on";
  /** @type {Api.Snapshot | null} */
  let last = null;
  /** @type {typeof import("../../audio/announcer.js") | null} */
  let announcer = null;

  const load = async () => (announcer ??= await import("../../audio/announcer.js").catch(() => null));
  const unlock = async () => (await load())?.unlockSound();

  onButtonClick(el, ({ sound }) => {
    isOn = sound === "on";
    saveSetting(SETTING, isOn ? "on" : "off");
    if (isOn) unlock();
    else globalThis.speechSynthesis?.cancel();
    draw();
  });
  addEventListener("pointerdown", () => isOn && unlock(), { once: true });
  if (isOn) load();

  function draw() {
    const button = (/** @type {string} */ value, /** @type {string} */ words) => `<button type="button" class="button" data-sound="${value}"
      aria-pressed="${(value === "on") === isOn}">${words}</button>`;
    morphHtml(el, `<span class="row-label">${formatMessage("Sound")}</span> ${button("on", formatMessage("on"))} ${button("off", formatMessage("off"))}`);
  }

  return (snapshot) => {
    const before = last;
    last = snapshot;
    if (isOn && before?.run === snapshot.run) load().then((each) => each?.announceChange(before, snapshot));
    draw();
  };
}
