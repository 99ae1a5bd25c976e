// The possible choices as bars of their chance to win. Pure.

import { cardFace } from "../components/card.js";
import { escapeHtml } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/**
 * A choice as `companion advise` ranks it.
 * @typedef {{ discard?: string[], play?: string | null, points: number, win: number, hand?: number, crib?: number, pegging?: number }} RankedChoice
 */

/**
 * Return the cards of a choice in a fixed order.
 * @param {RankedChoice} ranked
 */
export const choiceCards = ({ discard, play }) => (discard ? [...discard].sort() : play ? [play] : []);

/** @param {number} share */
export const formatPercent = (share) => `${(100 * share).toFixed(1)} %`;

const MIN_LENGTH = 4;

/**
 * Return the lengths of the bars, from 0 to 100: the best choice has 100, the worst `MIN_LENGTH`. Equal choices all have 100.
 * @param {number[]} wins
 */
export function barLengths(wins) {
  const [best, worst] = [Math.max(...wins), Math.min(...wins)];
  return wins.map((win) => (best === worst ? 100 : MIN_LENGTH + ((100 - MIN_LENGTH) * (win - worst)) / (best - worst)));
}

/**
 * Return a line for each choice, the best first.
 * @param {RankedChoice[]} ranked
 * @param {string[]} made the cards of the choice that was made; empty if none was
 */
export function oddsBars(ranked, made) {
  const widths = barLengths(ranked.map(({ win }) => win));
  const madeCards = [...made].sort().join();
  return `<ol class="odds">${ranked.map((each, i) => {
    const isMade = choiceCards(each).join() === madeCards;
    const parts = each.discard ? `<small>${formatMessage("hand {hand}, crib {crib}, play {play}", {
      hand: each.hand?.toFixed(1), crib: each.crib?.toFixed(1), play: each.pegging?.toFixed(1),
    })}</small>` : "";
    return `<li class="${isMade ? "made" : ""}"><span class="cards small-cards">${choiceCards(each).map(cardFace).join("")}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"/><rect width="${widths[i].toFixed(1)}" height="8"/></svg>
      <span class="number">${formatMessage("wins {share}, {points} points", { share: formatPercent(each.win), points: each.points.toFixed(1) })}${isMade ? ` <b>${formatMessage("made")}</b>` : ""}${i ? "" : ` <b>${formatMessage("best")}</b>`}</span>${parts}</li>`;
  }).join("")}</ol>`;
}

/**
 * Return the situation in which a choice was made.
 * @param {any} question a question of `companion advise`
 */
export function choiceSituation(question) {
  const [own, other] = question.scores;
  const played = question.ask === "play" ? `<dt>${formatMessage("starter")}</dt><dd class="cards small-cards">${cardFace(question.starter)}</dd>
    <dt>${escapeHtml(formatMessage("count {n}", { n: question.count }))}</dt><dd class="cards small-cards">${question.series.map(cardFace).join("") || "–"}</dd>` : "";
  return `<dl class="asked"><dt>${formatMessage("held")}</dt><dd class="cards small-cards">${question.hand.map(cardFace).join("")}</dd>${played}
    <dt>${formatMessage("scores")}</dt><dd>${formatMessage("{own} – {other} of {target}", { own, other, target: question.target })}, ${question.dealer ? formatMessage("own crib") : formatMessage("opponent's crib")}</dd></dl>`;
}
