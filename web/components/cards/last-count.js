// The last count in the words of the table, with the cards that scored.

import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, morphHtml } from "../../core/dom.js";
import { momentKey, sideOf } from "../../core/format.js";
import { keepsScore } from "../../games/pegs-only.js";
import { cardFace } from "./card.js";
import { isDealtByCompanion, lastSentences } from "./my-hand.js";

/** @typedef {{ seat: number, cards: string[], say: string }} HandCount */

/**
 * A line for each card or hand that scored. After an undo, what was undone and the count before it. A deal against the
 * companion ends with all counts, one after the other, because the companion turns up its cards faster than anyone reads.
 * @type {import("../../core/component.js").Component}
 */
export function LastCount(el) {
  let newestMoment = "";
  /** @type {Api.Count[]} */
  let ownCounts = [];
  /** @type {Api.Count[]} */
  let goCounts = []; // of the last card, when the next card is entered in the same tap
  return async (snapshot) => {
    if (snapshot.phase === "crib" && isDealtByCompanion(snapshot)) return; // the counts of the deal follow at once
    const { move, said, counts, reneges } = snapshot.last ?? { said: [], counts: [] };
    const plain = [...(move?.type === "undo" ? lastSentences(snapshot) : []), ...(reneges ? said.slice(-reneges.length) : [])];
    const moment = (newestMoment = momentKey(snapshot));
    const list = snapshot.game.against && snapshot.phase === "between" && move?.type === "crib" && snapshot.game.options.counting !== "manual"
      ? await fetchApiOrNull("/api/history") : null;
    if (moment !== newestMoment) return;
    const isAnswer = !!move && "seat" in move && move.seat === snapshot.game.against?.seat;
    if (!isAnswer) ownCounts = move?.type === "undo" ? [] : counts; // kept while the companion answers, faster than anyone reads
    goCounts = move?.type === "go" && !snapshot.game.against ? counts : move?.type === "play" && snapshot.series?.length === 1 ? goCounts : [];
    const shownCounts = isAnswer && snapshot.phase === "play" ? [...ownCounts, ...counts] : move?.type === "play" ? [...goCounts, ...counts] : counts;
    const lines = list ? listDealCounts(snapshot, list.moves).map((each) => dealCount(snapshot, each)) : shownCounts.map((each) => countLine(snapshot, each));
    const isKept = keepsScore(snapshot);
    const shown = [...plain.map((each) => `<p class="count-line">${escapeHtml(each)}</p>`), ...(isKept && plain.length ? [] : lines)].join("");
    morphHtml(el, isKept ? `<div class="last-score">${shown}</div>` : list ? `<div class="deal-counts">${shown}</div>` : shown);
  };
}

/**
 * Return the counts of a deal in their order: the hands from the player after the dealer on, and the crib.
 * @param {Api.Snapshot} snapshot a snapshot after the count of the crib; its dealer is already the next one
 * @param {Api.Made[]} moves
 * @returns {HandCount[]}
 */
function listDealCounts({ players, played = [], crib = [], starter, dealer: nextDealer }, moves) {
  const dealer = ((nextDealer ?? 0) + players.length - 1) % players.length;
  const [hands, turnedUp] = moves.slice(-2).map(({ say }) => say);
  const seats = players.map((_, i) => (dealer + 1 + i) % players.length);
  const starters = starter ? [starter] : [];
  return [...seats.map((seat, i) => ({ seat, cards: [...played[seat], ...starters], say: hands.slice(-players.length)[i] ?? "" })),
    { seat: dealer, cards: [...crib, ...starters], say: turnedUp.at(-1) ?? "" }];
}

/**
 * @param {Api.Snapshot} snapshot
 * @param {HandCount} count
 */
const dealCount = (snapshot, { seat, cards, say }) => `<div class="count-line deal-count"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span>
  <p>${escapeHtml(say)}</p><span class="small-cards">${cards.map(cardFace).join("")}</span></div>`;

/**
 * Return the line of a count.
 * @param {Api.Snapshot} snapshot
 * @param {Api.Count} count
 */
const countLine = (snapshot, { seat, points, cards, say }) =>
  `<div class="count-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span><p>${escapeHtml(say)}</p>
    <span class="small-cards">${cards.map(cardFace).join("")}</span>
    <b class="gain">${points < 0 ? "−" : points ? "+" : ""}${Math.abs(points)}</b></div>`;
