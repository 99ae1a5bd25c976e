// What could have been done, as bars: each choice's chance to win, from the worst to the best. Pure.

import { face } from "../components/card.js";
import { safe } from "../core/dom.js";
import { say } from "../core/i18n.js";

/**
 * A choice as `companion advise` ranks it.
 * @typedef {{ discard?: string[], play?: string | null, points: number, win: number, hand?: number, crib?: number, pegging?: number }} Ranked
 */

/**
 * The cards of a choice, always in the same order.
 * @param {Ranked} ranked
 */
export const cardsOf = ({ discard, play }) => (discard ? [...discard].sort() : play ? [play] : []);

/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

const LEAST = 4;

/**
 * How long each bar is, of 100: the best is whole, the worst a stump. All are whole where all are worth the same.
 * @param {number[]} wins
 */
export function lengths(wins) {
  const [best, worst] = [Math.max(...wins), Math.min(...wins)];
  return wins.map((win) => (best === worst ? 100 : LEAST + ((100 - LEAST) * (win - worst)) / (best - worst)));
}

/**
 * A line for each choice, the best first.
 * @param {Ranked[]} ranked
 * @param {string[]} made the cards of the choice that was made; none while none is
 */
export function odds(ranked, made) {
  const long = lengths(ranked.map(({ win }) => win));
  const own = [...made].sort().join();
  return `<ol class="odds">${ranked.map((each, i) => {
    const isMade = cardsOf(each).join() === own;
    const parts = each.discard ? `<small>${say("hand {hand}, crib {crib}, play {play}", {
      hand: each.hand?.toFixed(1), crib: each.crib?.toFixed(1), play: each.pegging?.toFixed(1),
    })}</small>` : "";
    return `<li class="${isMade ? "made" : ""}"><span class="cards small-cards">${cardsOf(each).map(face).join("")}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="8"/><rect width="${long[i].toFixed(1)}" height="8"/></svg>
      <span class="number">${say("wins {share}, {points} points", { share: percent(each.win), points: each.points.toFixed(1) })}${isMade ? ` <b>${say("made")}</b>` : ""}${i ? "" : ` <b>${say("best")}</b>`}</span>${parts}</li>`;
  }).join("")}</ol>`;
}

/**
 * What lay there when something was to be decided.
 * @param {any} asked a question of `companion advise`
 */
export function asked(asked) {
  const [own, other] = asked.scores;
  const lay = asked.ask === "play" ? `<dt>${say("starter")}</dt><dd class="cards small-cards">${face(asked.starter)}</dd>
    <dt>${safe(say("count {n}", { n: asked.count }))}</dt><dd class="cards small-cards">${asked.series.map(face).join("") || "–"}</dd>` : "";
  return `<dl class="asked"><dt>${say("held")}</dt><dd class="cards small-cards">${asked.hand.map(face).join("")}</dd>${lay}
    <dt>${say("scores")}</dt><dd>${say("{own} – {other} of {target}", { own, other, target: asked.target })}, ${asked.dealer ? say("own crib") : say("the other's crib")}</dd></dl>`;
}
