// The preferences of this phone: sound, two or four suit colours, and the themes and sounds of add-ons. They are stored on
// the phone and in cookies, so that the table can apply them to the pages it sends.

import { chooseSoundPack } from "../../audio/sound-pack.js";
import { constants } from "../../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";
import { loadSetting, saveSetting } from "../../core/preferences.js";

/** @typedef {{ key: string, name: string, values: [value: string, says: string][], apply(value: string): void }} Preference */

/** Return all preferences. Those of add-ons are known once the constants are loaded. */
const allPreferences = () => [...BUILT_IN, ...addonPreference("theme", gettextNoop("Theme"), constants.themes, applyTheme), ...addonPreference("sounds", gettextNoop("Sounds"), constants.sounds, chooseSoundPack)];

/** @type {Preference[]} */
const BUILT_IN = [
  {
    key: "suits", name: gettextNoop("Cards"), values: [["two", gettextNoop("two colours")], ["four", gettextNoop("four colours")]],
    apply: (value) => document.documentElement.classList.toggle("four", value === "four"),
  },
];

/**
 * Return the preference for a kind of add-on: plain, or one of the add-ons; none if no add-on is installed.
 * @template Addon
 * @param {string} key
 * @param {string} name
 * @param {{ [pack: string]: Addon } | undefined} packs
 * @param {(addon: Addon | Record<string, never>) => void} apply
 * @returns {Preference[]}
 */
function addonPreference(key, name, packs = {}, apply) {
  const names = Object.keys(packs);
  if (!names.length) return [];
  return [{ key, name, values: [["", gettextNoop("plain")], ...names.map((pack) => /** @type {[string, string]} */ ([pack, pack]))], apply: (value) => apply(packs[value] ?? {}) }];
}

/** Apply the style sheet of a theme after the page's own, or remove it. @param {string | {}} address */
function applyTheme(address) {
  const current = document.getElementById("theme");
  if (typeof address !== "string") return current?.remove();
  const link = current instanceof HTMLLinkElement ? current : Object.assign(document.createElement("link"), { id: "theme", rel: "stylesheet" });
  if (link.getAttribute("href") !== address) link.href = address;
  if (!link.isConnected) document.head.append(link);
}

/** Return the stored value of a preference, or its first value. @param {Preference} taste */
const storedValue = ({ key, values }) => values.find(([value]) => value === loadSetting(key))?.[0] ?? values[0][0];

const YEAR_S = 31536000;

/** Store a preference in a cookie, so that the table applies it to all pages, also to those without scripts. @param {Preference} taste */
const storeCookie = (taste) => {
  const value = storedValue(taste);
  document.cookie = `companion_${taste.key}=${encodeURIComponent(value)}; Path=/; SameSite=Lax; Max-Age=${value ? YEAR_S : 0}`;
};

/** Apply all preferences. */
export const applyPreferences = () => allPreferences().forEach((taste) => (taste.apply(storedValue(taste)), storeCookie(taste)));

/** A group of buttons for each preference. @type {import("../../core/component.js").Component} */
export function Preferences(el) {
  onButtonClick(el, ({ taste, value = "" }) => {
    const chosen = allPreferences().find(({ key }) => key === taste);
    if (chosen) saveSetting(chosen.key, value), chosen.apply(value), storeCookie(chosen);
    draw();
  });

  const draw = () => morphHtml(el, allPreferences().map((taste) => preferenceRow(taste, storedValue(taste))).join(""));
  return draw;
}

/**
 * @param {Preference} taste
 * @param {string} now
 */
const preferenceRow = ({ key, name, values }, now) => `<div class="preference" role="group" aria-label="${formatMessage(name)}"><span class="row-label">${formatMessage(name)}</span>
  ${values.map(([value, says]) => `<button type="button" class="button" data-taste="${key}" data-value="${escapeHtml(value)}"
    aria-pressed="${value === now}">${escapeHtml(formatMessage(says))}</button>`).join("")}</div>`;

const SOUND_SETTING = "sound";

/** Two buttons. The module that makes the sound is loaded when it is turned on. @type {import("../../core/component.js").Component} */
export function SoundSwitch(el) {
  let isOn = loadSetting(SOUND_SETTING) === "on";
  /** @type {Api.Snapshot | null} */
  let last = null;
  /** @type {typeof import("../../audio/announcer.js") | null} */
  let announcer = null;

  const load = async () => (announcer ??= await import("../../audio/announcer.js").catch(() => null));
  const unlock = async () => (await load())?.unlockSound();

  onButtonClick(el, ({ sound }) => {
    isOn = sound === "on";
    saveSetting(SOUND_SETTING, isOn ? "on" : "off");
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
