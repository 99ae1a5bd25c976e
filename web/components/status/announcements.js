// What a screen reader hears of the game: what was played, the count, what was counted, and whose turn it is, each once
// and in this order. The other parts of the page that change with a move are silent.

import { findElement } from "../../core/dom.js";
import { cardName, isCorrection, momentKey, seatName, sideName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { findGame } from "../../games/index.js";
import { isMyDiscard, lastSentences, myHand } from "../cards/my-hand.js";

/** Lines that stay in the document, for reading back. */
const MAX_LINES = 5;
/** Sentences that are announced at once after a dialog was closed. */
const MAX_SENTENCES = 8;

/**
 * A log of sentences. Nothing is announced behind an open dialog, so sentences wait until it is closed.
 * @type {import("../../core/component.js").Component}
 */
export function Announcements(el, { isPlayer }) {
  const turn = findElement(document, "[data-turn]");
  /** @type {Api.Snapshot | null} */
  let before = null;
  let spokenTurn = "", spokenHand = "";
  let isHinted = false, isTurnDue = false;
  /** @type {string[]} */
  let changes = [];

  /** @param {Api.Snapshot} snapshot */
  function addLine(snapshot) {
    if (document.querySelector("dialog[open]")) return void (isTurnDue = true); // a new game may begin like the one before
    const turnSentence = turn.textContent ?? "";
    const sentences = changes.splice(0).slice(-MAX_SENTENCES);
    if (sentences.length || isTurnDue || turnSentence !== spokenTurn) sentences.push(turnSentence);
    [isTurnDue, spokenTurn] = [false, turnSentence];
    sentences.push(...describeHand(snapshot), ...describeKeys(snapshot));
    if (sentences.length) el.append(Object.assign(document.createElement("p"), { textContent: sentences.join(" ") }));
    while (el.children.length > MAX_LINES) el.children[0].remove();
  }

  /** Return the cards of my hand when they are dealt, and those that I keep. @param {Api.Snapshot} snapshot */
  function describeHand(snapshot) {
    const cards = isMyDiscard(snapshot) ? myHand.cards.map(cardName).join(", ") : "";
    const isNew = cards !== "" && cards !== spokenHand;
    const crib = spokenHand ? [] : [formatMessage("Crib: {name}.", { name: seatName(snapshot, snapshot.dealer) })];
    spokenHand = cards;
    return isNew ? [formatMessage("Your cards: {cards}.", { cards }), ...crib] : [];
  }

  /** Return, once, how cards are entered by keyboard. @param {Api.Snapshot} snapshot */
  function describeKeys(snapshot) {
    if (isHinted || !isPlayer() || findGame(snapshot).seenCards(snapshot) === null) return [];
    isHinted = true;
    return [formatMessage("Cards can be typed: 5h, 10d.")];
  }

  document.addEventListener("close", () => before && addLine(before), true);

  return deferDuringRoll((snapshot) => {
    if (before?.run === snapshot.run) changes.push(...describeChange(before, snapshot));
    isTurnDue ||= !before || momentKey(before) !== momentKey(snapshot);
    before = snapshot;
    addLine(snapshot);
  });
}

/**
 * Return the sentences for the newer of two snapshots of one run, without whose turn it is.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 * @returns {string[]}
 */
export function describeChange(before, now) {
  const laid = laidCards(now).slice(laidCards(before).length).map((card) => `${cardName(card)}.`);
  if (before.moves === now.moves || !now.last) return laid;
  const { move } = now.last, said = lastSentences(now);
  const wasLaid = laidCards(before).length > 0 && (move.type === "crib" || move.type === "hand"); // each card was announced
  const count = now.phase === "play" && (now.count !== before.count || move.type === "go") ? [formatMessage("Count: {n}.", { n: now.count ?? 0 })] : [];
  return [...(wasLaid ? [...laid, ...said.slice(1)] : said), ...count, ...describeScores(before, now, isCorrection(move))];
}

/**
 * Return the cards that were read but are no move yet, and those of the crib.
 * @param {Api.Snapshot} snapshot
 * @returns {string[]}
 */
const laidCards = ({ phase, crib = [], lying = [] }) => [...(phase === "play" || phase === "cut" ? [] : crib), ...lying];

/**
 * Return the scores at the end of a deal, and those that a correction changed.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 * @param {boolean} isCorrection
 */
function describeScores(before, now, isCorrection) {
  const scores = now.scores.map((score, side) => `${sideName(now, side)} ${score}`);
  if (isCorrection) return scores.filter((_, side) => now.scores[side] !== before.scores[side]).map((each) => `${each}.`);
  const isEnd = now.phase !== before.phase && ["between", "over"].includes(now.phase);
  return isEnd ? [formatMessage("Score after this hand: {scores}.", { scores: scores.join(", ") })] : [];
}
