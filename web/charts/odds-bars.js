// The possible choices as bars of their chance to win. Pure.

import { cardFace } from "../components/cards/card.js";
import { escapeHtml } from "../core/dom.js";
import { formatMessage, language } from "../core/i18n.js";

/**
 * A choice as `companion advise` ranks it.
 * @typedef {{ discard?: string[], play?: string | null, points: number, win: number, game_points?: number, hand?: number, crib?: number, pegging?: number }} RankedChoice
 */

/** Return the cards of a choice in a fixed order. @param {RankedChoice} ranked */
export const choiceCards = ({ discard, play }) => (discard ? [...discard].sort() : play ? [play] : []);

/**
 * Return a number in the language of the page, with one decimal or `decimals`, never "−0.0".
 * @param {number} value
 * @param {number} decimals
 */
export const formatDecimal = (value, decimals = 1) =>
  value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).replace(/^-(?=[0.,]+$)/, "").replace("-", "−");

/** @param {number} share */
export const formatPercent = (share) => `${formatDecimal(100 * share)}\u00a0%`;

/** Return a sentence in which a number and the sign or the word after it stay in one line. @param {string} sentence */
export const joinNumbers = (sentence) => sentence.replace(/(\d) (?=%|points?\b|Punkte?\b)/g, "$1\u00a0");

/**
 * Return whether a choice is as good as the best one: two cards of one rank can often replace each other.
 * @param {RankedChoice} choice
 * @param {RankedChoice} best
 */
export const isAsGood = (choice, best) => choice.win === best.win && choice.points === best.points && choice.game_points === best.game_points;

/** @param {RankedChoice} choice */
export function choiceWorth({ win, points, game_points: gamePoints }) {
  const worth = formatMessage("wins {share}, {points} points", { share: formatPercent(win), points: formatDecimal(points) });
  return joinNumbers(gamePoints === undefined ? worth : `${worth}, ${formatMessage("game points {points}", { points: formatDecimal(gamePoints, 2) })}`);
}

/**
 * Return a line for each choice, the best first. The bars begin at 0: their lengths compare like the chances.
 * @param {RankedChoice[]} ranked
 * @param {string[]} made the cards of the choice that was made; empty if none was
 * @param {boolean} withCost whether to add what each choice costs against the best one
 */
export function oddsBars(ranked, made, withCost = false) {
  const madeCards = [...made].sort().join();
  return `<ol class="odds">${ranked.map((each) => {
    const isMade = choiceCards(each).join() === madeCards;
    const isBest = isAsGood(each, ranked[0]);
    const parts = each.discard ? `<small>${formatMessage("hand {hand}, crib {crib}, play {play}", {
      hand: formatDecimal(each.hand ?? 0), crib: formatDecimal(each.crib ?? 0), play: formatDecimal(each.pegging ?? 0),
    })}</small>` : "";
    return `<li class="${[isMade && "made", isBest && "optimal"].filter(Boolean).join(" ")}"><span class="cards small-cards">${choiceCards(each).map(cardFace).join("")}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"/><rect width="${(100 * each.win).toFixed(1)}" height="8"/></svg>
      <span class="number">${choiceWorth(each)}${withCost && !isBest ? `, <span data-cost${isMade ? ' class="cost"' : ""}>${escapeHtml(formatMessage("costs {share}", { share: formatPercent(ranked[0].win - each.win) }))}</span>` : ""}${isMade ? ` <b>${formatMessage("chosen")}</b>` : ""}${isBest ? ` <b>${formatMessage("best")}</b>` : ""}</span>${parts}</li>`;
  }).join("")}</ol>`;
}

/** Return the situation in which a choice was made. @param {any} question a question of `companion advise` */
export function choiceSituation(question) {
  const [own, other] = question.scores;
  const played = question.ask === "play" ? `<dt>${formatMessage("starter")}</dt><dd class="cards small-cards">${cardFace(question.starter)}</dd>
    <dt>${escapeHtml(formatMessage("count {n}", { n: question.count }))}</dt><dd class="cards small-cards">${question.series.map(cardFace).join("") || "–"}</dd>` : "";
  return `<dl class="asked"><dt>${formatMessage("held")}</dt><dd class="cards small-cards">${question.hand.map(cardFace).join("")}</dd>${played}
    <dt>${formatMessage("scores")}</dt><dd>${formatMessage("{own} – {other} of {target}", { own, other, target: question.target })}, ${question.dealer ? formatMessage("own crib") : formatMessage("opponent's crib")}</dd></dl>`;
}
