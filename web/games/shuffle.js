// Cribbage shuffle: sixteen cards in a square, what each row and column is worth, and two taps to swap.

import { cardCorner, cardFace, emptyCardPlace, suitClass } from "../components/card.js";
import { constants } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { allCards, cardName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { any } from "./game.js";
import { Hints } from "./shuffle-hints.js";

/** @import { Context } from "../core/component.js" */
/** @typedef {Api.Snapshot & Required<Pick<Api.Snapshot, "grid" | "rows" | "columns" | "heels" | "total" | "starter">>} Laid */

/** @type {import("./game.js").Game} */
export const shuffle = {
  ...any,
  key: "shuffle",
  races: false,
  abandons: () => null,
  turn: (/** @type {Laid} */ snapshot) => SENTENCES[snapshot.phase](snapshot),
  Panel,
  pegs: () => [],
  seen: (/** @type {Laid} */ { phase, grid, starter, lying = [] }) =>
    ["lay", "place", "cut"].includes(phase) ? new Set([...grid.flat(), starter, ...lying]) : null,
  next: ({ phase }) => (phase === "swap" || phase === "over" ? formatMessage("New layout") : null),
};

const cells = () => constants.grid.size ** 2;

/** @type {Record<string, (snapshot: Laid) => string>} */
const SENTENCES = {
  lay: ({ lying = [] }) => (lying.length < cells() ? formatMessage("Lay sixteen cards: {n} of {all}.", { n: lying.length, all: cells() }) : formatMessage("Cut the starter.")),
  swap: ({ winner }) => (winner === null ? formatMessage("Swap any two cards.") : formatMessage("You have won. Swap on for more.")),
  place: ({ lying = [] }) => (lying.length ? formatMessage("Place the {card}.", { card: cardName(lying[0]) }) : formatMessage("Turn up a card.")),
  cut: () => formatMessage("Cut the starter."),
  over: ({ winner, total }) =>
    winner === null ? formatMessage("{total}: not quite {target}.", { total, target: constants.grid.target }) : formatMessage("You have won with {total}.", { total }),
};

/**
 * The square, and below it what the table knows better.
 * @type {import("../core/component.js").Component}
 */
function Panel(el, context) {
  const [square, hints] = [0, 1].map(() => el.appendChild(document.createElement("div")));
  const { draw, mark } = Square(square, context);
  const hint = Hints(hints, context.actions, mark);
  return (/** @type {Laid} */ snapshot) => {
    draw(snapshot);
    hint(snapshot);
  };
}

/** @param {string} cell */
const at = (cell) => cell.split(",").map(Number);

/**
 * The square, and what is worth what. `mark(cells)` shows cells that might be swapped.
 * @param {HTMLElement} el
 * @param {Context} context
 */
function Square(el, { actions, plays }) {
  /** @type {Laid | null} */
  let newest = null;
  /** @type {string | null} */
  let chosen = null;
  /** @type {string[]} */
  let marked = [];
  onButtonClick(el, ({ cell, move }) => {
    if (move === "lay") actions.makeMove(dealt());
    if (cell) tap(cell);
    draw();
  });

  /** @param {string} cell */
  function tap(cell) {
    const [card] = newest?.lying ?? [];
    if (newest?.phase === "place" && card) actions.makeMove({ type: "place", card, cell: at(cell) });
    else if (chosen && chosen !== cell) actions.makeMove({ type: "swap", a: at(chosen), b: at(cell) }), (chosen = null);
    else chosen = chosen === cell ? null : cell;
  }

  function draw() {
    if (!newest) return;
    const { phase, lying = [], grid, rows, columns, starter, heels, total } = newest;
    const size = constants.grid.size;
    const shown = phase === "lay" ? grid.map((row, r) => row.map((_, c) => lying[size * r + c] ?? null)) : grid;
    const taps = (/** @type {string | null} */ card) => plays() && (phase === "swap" || (phase === "place" && lying.length > 0 && !card));
    const counted = (/** @type {number} */ points) => (starter ? points : "–");
    const look = (/** @type {string} */ cell) => (cell === chosen ? "chosen" : marked.includes(cell) ? "hinted" : "");
    const line = (/** @type {(string | null)[]} */ row, /** @type {number} */ r) =>
      row.map((card, c) => (taps(card) ? key(card, `${r},${c}`, look(`${r},${c}`)) : card ? cardFace(card) : emptyCardPlace(formatMessage("Empty")))).join("")
      + worth(counted(rows[r]), formatMessage("row {n}", { n: r + 1 }));
    const deals = phase === "lay" && !lying.length;
    morphHtml(el, `<div class="square">${shown.map(line).join("")}
        ${columns.map((points, c) => worth(counted(points), formatMessage("column {n}", { n: c + 1 }))).join("")}<b class="total">${escapeHtml(counted(total))}</b></div>
      <div class="beside"><span>${starter ? cardFace(starter) : emptyCardPlace(formatMessage("No starter yet"))}</span>
        <p>${formatMessage("starter")}${heels ? formatMessage(", his heels: {n}", { n: heels }) : ""}</p>
        ${deals ? `<button type="button" class="button players" data-move="lay">${formatMessage("Deal them here")}</button>` : ""}</div>`);
  }

  return {
    draw: (/** @type {Laid} */ snapshot) => {
      if (newest?.moves !== snapshot.moves || newest.run !== snapshot.run) chosen = null;
      newest = snapshot;
      draw();
    },
    mark: (/** @type {string[]} */ cells) => {
      marked = cells;
      draw();
    },
  };
}

/**
 * @param {number | string} points
 * @param {string} name
 */
const worth = (points, name) => `<output class="worth" aria-label="${name}">${escapeHtml(points)}</output>`;

/**
 * @param {string | null} card
 * @param {string} cell
 * @param {string} look
 */
const key = (card, cell, look) =>
  `<button type="button" class="card ${card ? suitClass(card) : "gap"} ${look}" data-cell="${cell}"
    aria-pressed="${look === "chosen"}" aria-label="${card ? cardName(card) : formatMessage("an empty place")}">${card ? cardCorner(card) : ""}</button>`;

/**
 * A layout dealt by this page: the one game where nobody minds who deals.
 * @returns {Api.Move}
 */
function dealt() {
  const pack = allCards();
  const draw = () => pack.splice(Math.floor(Math.random() * pack.length), 1)[0];
  return { type: "lay", cards: Array.from({ length: cells() }, draw), starter: draw() };
}
