// The top of the page: the game's name, whether the page is in touch, and who may do what; and what was refused.

import { write } from "../core/dom.js";
import { inForce } from "../core/format.js";
import { phrase, say } from "../core/i18n.js";
import { Held } from "../games/dice-animation.js";

/**
 * The game's name in the heading, and the scores where a browser shows its tabs.
 * @type {import("../core/component.js").Part}
 */
export function Title(el) {
  return Held(({ game, scores }) => {
    write(el, game.title);
    const title = `${scores.join(" – ")} · ${game.title}`;
    if (document.title !== title) document.title = title;
  });
}

/**
 * What is decided at this table: "to 121, the players count, muggins".
 * @type {import("../core/component.js").Part}
 */
export function Terms(el) {
  return ({ game }) => write(el, inForce(game.options).join(", "));
}

const BACK = phrase("back in touch");
const BACK_MS = 3000;
const LINKS = {
  live: phrase("live"), polling: phrase("in touch, a little late"), lost: phrase("no answer from the table: trying again"),
};

/**
 * `tell(link)` at each change; `body[data-link]` says the same to programs.
 * @param {HTMLElement} el
 */
export function Link(el) {
  let timer = 0;
  return (/** @type {"live" | "polling" | "lost"} */ link) => {
    const wasLost = document.body.dataset.link === "lost" && el.textContent === say(LINKS.lost);
    clearTimeout(timer);
    document.body.dataset.link = link;
    write(el, say(wasLost && link === "live" ? BACK : LINKS[link]));
    if (wasLost && link === "live") timer = setTimeout(() => write(el, say(LINKS.live)), BACK_MS);
  };
}

/**
 * The sentence that tells a watcher how to join; nothing for a player.
 * @param {HTMLElement} el
 */
export function Joining(el) {
  return (/** @type {Api.Answers["/api/me"]} */ { role, how_to_join: how }) => {
    el.hidden = role === "player" || !how;
    write(el, how ? `${say("You are watching.")} ${how}` : "");
  };
}

const SHOWN_MS = 12000;

/**
 * The alert: `show(sentence)`, or nothing to take it away; so does a tap, or time.
 * @param {HTMLElement} el
 */
export function Refusal(el) {
  let timer = 0;
  el.addEventListener("click", () => write(el, ""));
  return (/** @type {string} */ sentence) => {
    clearTimeout(timer);
    write(el, sentence);
    if (sentence) timer = setTimeout(() => write(el, ""), SHOWN_MS);
  };
}
