// What this phone likes: whether cards come in two colours or in four. Remembered here, and nobody else's business.

import { fill, pressed } from "../html.js";
import { remember, remembered } from "../screen.js";
import { phrase, say } from "../say.js";

/** @typedef {{ what: string, name: string, values: [value: string, says: string][], likes(value: string): void }} Taste */

/** @type {Taste[]} */
const TASTES = [
  {
    what: "suits", name: phrase("Cards"), values: [["two", phrase("two colours")], ["four", phrase("four colours")]],
    likes: (value) => document.documentElement.classList.toggle("four", value === "four"),
  },
];

/**
 * What is liked: as remembered, or the first that there is.
 * @param {Taste} taste
 */
const liked = ({ what, values }) => values.find(([value]) => value === remembered(what))?.[0] ?? values[0][0];

/** As this phone likes it, before anything is drawn. */
export const please = () => TASTES.forEach((taste) => taste.likes(liked(taste)));

/**
 * A choice for each; one tap makes it.
 * @type {import("../guard.js").Part}
 */
export function Tastes(el) {
  pressed(el, ({ taste, value = "" }) => {
    const chosen = TASTES.find(({ what }) => what === taste);
    if (chosen) remember(chosen.what, value), chosen.likes(value);
    draw();
  });

  const draw = () => fill(el, TASTES.map((taste) => row(taste, liked(taste))).join(""));
  return draw;
}

/**
 * @param {Taste} taste
 * @param {string} now
 */
const row = ({ what, name, values }, now) => `<div class="taste" role="group" aria-label="${say(name)}"><span class="whose">${say(name)}</span>
  ${values.map(([value, says]) => `<button type="button" class="button" data-taste="${what}" data-value="${value}"
    aria-pressed="${value === now}">${say(says)}</button>`).join("")}</div>`;
