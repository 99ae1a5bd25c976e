// The panel of cribbage shuffle: sixteen cards in a square, the value of each row and column, and two taps to swap.

import { cardCorner, cardFace, emptyCardPlace, suitClass } from "../components/cards/card.js";
import { constants, countGridCells } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { allCards, cardName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { createHints } from "./shuffle-hints.js";

/** @import { Context } from "../core/component.js" */
/** @import { ShuffleSnapshot } from "./shuffle.js" */

/** The square, and the hints below it. @type {import("../core/component.js").Component} */
export function ShufflePanel(el, context) {
  const [square, hints] = [0, 1].map(() => el.appendChild(document.createElement("div")));
  const { draw, markCells } = createCardGrid(square, context);
  const hint = createHints(hints, context.actions, markCells);
  return (/** @type {ShuffleSnapshot} */ snapshot) => {
    draw(snapshot);
    hint(snapshot);
  };
}

/** Parse a cell: "1,2" → [1, 2]. @param {string} cell */
const parseCell = (cell) => cell.split(",").map(Number);

/**
 * Create the square with its values. `markCells(cells)` highlights the cells of a hint.
 * @param {HTMLElement} el
 * @param {Context} context
 */
function createCardGrid(el, { actions, isPlayer }) {
  /** @type {ShuffleSnapshot | null} */
  let newest = null;
  /** @type {string | null} */
  let chosen = null;
  /** @type {string[]} */
  let highlighted = [];
  onButtonClick(el, ({ cell, move }) => {
    const answer = move === "lay" ? actions.makeMove(dealLayout()) : cell ? tapCell(cell) : null;
    draw();
    return answer;
  });

  /** @param {string} cell */
  function tapCell(cell) {
    const [card] = newest?.lying ?? [];
    if (newest?.phase === "place" && card) return actions.makeMove({ type: "place", card, cell: parseCell(cell) });
    const [a, b] = [chosen, cell];
    chosen = a ? null : cell;
    return a && a !== b ? actions.makeMove({ type: "swap", a: parseCell(a), b: parseCell(b) }) : null;
  }

  function draw() {
    if (!newest) return;
    const { phase, lying = [], grid, rows, columns, starter, heels, total } = newest;
    const size = constants.grid.size;
    const shown = phase === "lay" ? grid.map((row, r) => row.map((_, c) => lying[size * r + c] ?? null)) : grid;
    const canTap = (/** @type {string | null} */ card) => isPlayer() && (phase === "swap" || (phase === "place" && lying.length > 0 && !card));
    const showPoints = (/** @type {number} */ points) => (starter ? points : "–");
    const cellClass = (/** @type {string} */ cell) => (cell === chosen ? "chosen" : highlighted.includes(cell) ? "hinted" : "");
    const line = (/** @type {(string | null)[]} */ row, /** @type {number} */ r) =>
      row.map((card, c) => (canTap(card) ? cellButton(card, `${r},${c}`, cellClass(`${r},${c}`)) : card ? cardFace(card) : emptyCardPlace(formatMessage("Empty"), `${r},${c}`))).join("")
      + lineValue(showPoints(rows[r]), formatMessage("row {n}", { n: r + 1 }));
    const deals = phase === "lay" && !lying.length;
    morphHtml(el, `<div class="square">${shown.map(line).join("")}
        ${columns.map((points, c) => lineValue(showPoints(points), formatMessage("column {n}", { n: c + 1 }))).join("")}<b class="total">${escapeHtml(showPoints(total))}</b></div>
      <div class="beside"><span>${starter ? cardFace(starter) : emptyCardPlace(formatMessage("No starter yet"))}</span>
        <p>${formatMessage("starter")}${heels ? formatMessage(", his heels: {n}", { n: heels }) : ""}</p>
        ${deals ? `<button type="button" class="button players" data-move="lay">${formatMessage("Deal here")}</button>` : ""}</div>`);
  }

  return {
    draw: (/** @type {ShuffleSnapshot} */ snapshot) => {
      if (newest?.moves !== snapshot.moves || newest.run !== snapshot.run) chosen = null;
      newest = snapshot;
      draw();
    },
    markCells: (/** @type {string[]} */ cells) => {
      highlighted = cells;
      draw();
    },
  };
}

/**
 * Return the value of a row or column.
 * @param {number | string} points
 * @param {string} name
 */
const lineValue = (points, name) => `<output class="worth" aria-label="${name}">${escapeHtml(points)}</output>`;

/**
 * Return a cell as a button.
 * @param {string | null} card
 * @param {string} cell
 * @param {string} look
 */
const cellButton = (card, cell, look) =>
  `<button type="button" class="card ${card ? suitClass(card) : "gap"} ${look}" data-cell="${cell}"
    aria-pressed="${look === "chosen"}" aria-label="${card ? cardName(card) : formatMessage("empty cell")}">${card ? cardCorner(card) : ""}</button>`;

/** Return the move that deals a random layout. @returns {Api.Move} */
function dealLayout() {
  const pack = allCards();
  const draw = () => pack.splice(Math.floor(Math.random() * pack.length), 1)[0];
  return { type: "lay", cards: Array.from({ length: countGridCells() }, draw), starter: draw() };
}
