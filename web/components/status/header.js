// The header of the page: the name and options of the game, the connection, how to join, and error messages.

import { setText } from "../../core/dom.js";
import { describeOptions } from "../../core/format.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";
import { deferDuringRoll } from "../../games/dice-animation.js";

/** The name of the game in the heading; the title of the browser tab also shows the scores. @type {import("../../core/component.js").Component} */
export function GameTitle(el) {
  return deferDuringRoll(({ game, scores }) => {
    setText(el, game.title);
    const title = `${scores.join(" – ")} · ${game.title}`;
    if (document.title !== title) document.title = title;
  });
}

/** The options in force: "first to 121, the players count, muggins". @type {import("../../core/component.js").Component} */
export function GameOptions(el) {
  return ({ game }) => setText(el, describeOptions(game.options).join(", "));
}

const RECONNECTED = gettextNoop("connected again");
const RECONNECTED_MS = 3000;
const LINK_TEXTS = {
  live: gettextNoop("live"), polling: gettextNoop("connected, with a delay"), lost: gettextNoop("no answer from the table, trying again"),
};

/** The state of the connection, in words and as `body[data-link]` for programs. Call the returned function at each change. @param {HTMLElement} el */
export function ConnectionStatus(el) {
  let timer = 0;
  return (/** @type {"live" | "polling" | "lost"} */ link) => {
    const wasLost = document.body.dataset.link === "lost" && el.textContent === formatMessage(LINK_TEXTS.lost);
    clearTimeout(timer);
    document.body.dataset.link = link;
    setText(el, formatMessage(wasLost && link === "live" ? RECONNECTED : LINK_TEXTS[link]));
    if (wasLost && link === "live") timer = setTimeout(() => setText(el, formatMessage(LINK_TEXTS.live)), RECONNECTED_MS);
  };
}

/** The sentence that tells a watcher how to join; hidden for players. @param {HTMLElement} el */
export function JoinHint(el) {
  return (/** @type {Api.Answers["/api/me"]} */ { role, how_to_join: how }) => {
    el.hidden = role === "player" || !how;
    setText(el, how ? `${formatMessage("You are watching.")} ${how}` : "");
  };
}

const SHOWN_MS = 12000;

/**
 * The error message. Call the returned function with a sentence, or with "" to clear it; the next tap on anything or some
 * time clears it too.
 * @param {HTMLElement} el
 */
export function ErrorMessage(el) {
  let timer = 0;
  document.addEventListener("click", ({ target }) => target instanceof Element && target.closest("button, a, summary, [data-error]") && setText(el, ""), true);
  return (/** @type {string} */ sentence) => {
    clearTimeout(timer);
    setText(el, sentence);
    if (sentence) timer = setTimeout(() => setText(el, ""), SHOWN_MS);
  };
}
