// What this phone likes: whether cards come in two colours or in four, and the themes and sounds that packs bring.
// Remembered here, and told to the table, which sends its pages so.

import { choose } from "../audio/sound-pack.js";
import { constants } from "../core/constants.js";
import { fill, pressed, safe } from "../core/dom.js";
import { phrase, say } from "../core/i18n.js";
import { remember, remembered } from "../core/preferences.js";

/** @typedef {{ what: string, name: string, values: [value: string, says: string][], likes(value: string): void }} Taste */

/** What there is to choose between: packs are known once the table has told its constants. */
const tastes = () => [...OWN, ...brought("theme", phrase("Theme"), constants.themes, dress), ...brought("sounds", phrase("Sounds"), constants.sounds, choose)];

/** @type {Taste[]} */
const OWN = [
  {
    what: "suits", name: phrase("Cards"), values: [["two", phrase("two colours")], ["four", phrase("four colours")]],
    likes: (value) => document.documentElement.classList.toggle("four", value === "four"),
  },
];

/**
 * The plain one or one of a pack, where packs bring any.
 * @template Brought
 * @param {string} what
 * @param {string} name
 * @param {{ [pack: string]: Brought } | undefined} packs
 * @param {(brought: Brought | Record<string, never>) => void} likes
 * @returns {Taste[]}
 */
function brought(what, name, packs = {}, likes) {
  const names = Object.keys(packs);
  if (!names.length) return [];
  return [{ what, name, values: [["", phrase("plain")], ...names.map((pack) => /** @type {[string, string]} */ ([pack, pack]))], likes: (value) => likes(packs[value] ?? {}) }];
}

/**
 * The style sheet of a theme, after the page's own; or none.
 * @param {string | {}} address
 */
function dress(address) {
  const worn = document.getElementById("theme");
  if (typeof address !== "string") return worn?.remove();
  const link = worn instanceof HTMLLinkElement ? worn : Object.assign(document.createElement("link"), { id: "theme", rel: "stylesheet" });
  if (link.getAttribute("href") !== address) link.href = address;
  if (!link.isConnected) document.head.append(link);
}

/**
 * What is liked: as remembered, or the first that there is.
 * @param {Taste} taste
 */
const liked = ({ what, values }) => values.find(([value]) => value === remembered(what))?.[0] ?? values[0][0];

const YEAR_S = 31536000;

/**
 * The table sends all its pages as this phone likes them, also those without a script.
 * @param {Taste} taste
 */
const tell = (taste) => {
  const value = liked(taste);
  document.cookie = `companion_${taste.what}=${encodeURIComponent(value)}; Path=/; SameSite=Lax; Max-Age=${value ? YEAR_S : 0}`;
};

/** As this phone likes it, before anything is drawn. */
export const please = () => tastes().forEach((taste) => (taste.likes(liked(taste)), tell(taste)));

/**
 * A choice for each; one tap makes it.
 * @type {import("../core/component.js").Part}
 */
export function Tastes(el) {
  pressed(el, ({ taste, value = "" }) => {
    const chosen = tastes().find(({ what }) => what === taste);
    if (chosen) remember(chosen.what, value), chosen.likes(value), tell(chosen);
    draw();
  });

  const draw = () => fill(el, tastes().map((taste) => row(taste, liked(taste))).join(""));
  return draw;
}

/**
 * @param {Taste} taste
 * @param {string} now
 */
const row = ({ what, name, values }, now) => `<div class="taste" role="group" aria-label="${say(name)}"><span class="whose">${say(name)}</span>
  ${values.map(([value, says]) => `<button type="button" class="button" data-taste="${what}" data-value="${safe(value)}"
    aria-pressed="${value === now}">${safe(say(says))}</button>`).join("")}</div>`;
