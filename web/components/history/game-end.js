// The end of a game, below the sentence that names the winner: the ways on, and the race as a picture to share. Loaded when
// a game ends.

import { raceChart } from "../../charts/race-chart.js";
import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { momentKey, sideName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { resultSentence } from "../../games/game.js";
import { isReviewable } from "./history.js";

/** A card in the place of the game, while it is over, with its last count. @type {import("../../core/component.js").Component} */
export function GameEnd(el, { actions }) {
  let newestMoment = "";
  /** @type {Api.Snapshot | null} */
  let ended = null;

  onButtonClick(el, async ({ share, move }) => {
    if (move === "next") return actions.makeMove({ type: move });
    const chart = el.querySelector("svg");
    if (share === undefined || !ended || !chart) return undefined;
    const images = await import("../../charts/share-image.js").catch(() => null);
    if (!images) actions.showRefusal(formatMessage("The table could not be reached."));
    else await images.shareImage(images.drawShareImage(chart, resultSentence(ended), [scoreLine(ended), ended.game.title]), "cribbage.png");
    return undefined;
  });

  return async (snapshot) => {
    const moment = (newestMoment = momentKey(snapshot));
    const isOver = snapshot.phase === "over" && snapshot.scores.length > 1;
    const list = isOver ? await fetchApiOrNull("/api/history") : null;
    if (moment !== newestMoment) return;
    const isNew = isOver && !ended;
    ended = isOver ? snapshot : null;
    el.hidden = !isOver;
    morphHtml(el, isOver ? endCard(snapshot, list?.moves ?? []) : "");
    if (isOver) document.querySelector(".bar [data-move=next]")?.remove(); // it stands here until the next game begins
    if (isNew) el.scrollIntoView({ block: "nearest" });
  };
}

/**
 * Return the content of the card.
 * @param {Api.Snapshot} snapshot
 * @param {Api.Made[]} moves
 */
function endCard(snapshot, moves) {
  const race = lastGame(moves);
  const sides = snapshot.scores.map((score, side) => ({ name: sideName(snapshot, side), points: [0, ...race.map(({ scores }) => scores[side] ?? 0), score] }));
  return `${(snapshot.last?.said ?? []).map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join("")}
    <button type="button" class="button main players" data-move="next">${formatMessage("Play again")}</button>
    ${raceChart(sides, snapshot.game.target)}
    <div class="choices">${isReviewable(snapshot) ? `<a class="button" href="/review">${formatMessage("Review this game")}</a>` : ""}
      <button type="button" class="button" data-share>${formatMessage("Share a picture")}</button></div>`;
}

/** Return the moves of the last game of a table: before it, the scores go back to the start. @param {Api.Made[]} moves */
export function lastGame(moves) {
  const total = (/** @type {number} */ i) => moves[i].scores.reduce((sum, score) => sum + score, 0);
  const isStart = (/** @type {Api.Made} */ { move }, /** @type {number} */ i) => i > 0 && move.type === "next" && total(i) < total(i - 1);
  return moves.slice(Math.max(0, moves.findLastIndex(isStart)));
}

/** Return the scores with the winner first: "Ann 121 – Bo 88". @param {Api.Snapshot} snapshot */
const scoreLine = (snapshot) => snapshot.scores.map((_, side) => side).sort((a, b) => Number(b === snapshot.winner) - Number(a === snapshot.winner))
  .map((side) => `${sideName(snapshot, side)}\u00a0${snapshot.scores[side]}`).join("\u00a0– ");
