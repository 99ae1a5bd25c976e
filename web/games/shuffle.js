// Cribbage shuffle: sixteen cards in a square, what each row and column is worth, and two taps to swap.

import { colour, corner, face, gap } from "../cards.js";
import { fill, safe } from "../html.js";
import { cardName, DECK } from "../words.js";
import { any } from "./any.js";
import { Hints } from "./hints.js";

const SIZE = 4;
const LAYOUT = SIZE * SIZE + 1;

export const shuffle = {
  ...any,
  key: "shuffle",
  abandons: () => null,
  turn: (snapshot) => SENTENCES[snapshot.phase](snapshot),
  Panel,
  pegs: () => [],
  seen: ({ phase, grid, starter, lying = [] }) =>
    ["lay", "place", "cut"].includes(phase) ? new Set([...grid.flat(), starter, ...lying]) : null,
  next: ({ phase }) => (phase === "swap" || phase === "over" ? "New layout" : null),
};

const SENTENCES = {
  lay: ({ lying = [] }) => (lying.length < LAYOUT - 1 ? `Lay sixteen cards: ${lying.length} of 16.` : "Cut the starter."),
  swap: ({ winner }) => (winner === null ? "Swap any two cards." : "You have won. Swap on for more."),
  place: ({ lying = [] }) => (lying.length ? `Place the ${cardName(lying[0])}.` : "Turn up a card."),
  cut: () => "Cut the starter.",
  over: ({ winner, total }) => (winner === null ? `${total}: not quite 61.` : `You have won with ${total}.`),
};

/** The square, and below it what the table knows better. */
function Panel(el, context) {
  const [square, hints] = [0, 1].map(() => el.appendChild(document.createElement("div")));
  const draw = Square(square, context);
  const hint = Hints(hints, context, draw.mark);
  return (snapshot) => {
    draw(snapshot);
    hint(snapshot);
  };
}

/** The square, and what is worth what. `mark(cells)` shows cells that might be swapped. */
function Square(el, { actions, plays }) {
  let newest = null;
  let chosen = null;
  let marked = [];
  el.addEventListener("click", (event) => {
    const { cell, move } = event.target.closest("button")?.dataset ?? {};
    if (move === "lay") actions.move(dealt());
    if (!cell) return;
    const at = (each) => each.split(",").map(Number);
    if (newest.phase === "place") actions.move({ type: "place", card: newest.lying[0], cell: at(cell) });
    else if (chosen && chosen !== cell) actions.move({ type: "swap", a: at(chosen), b: at(cell) }), (chosen = null);
    else chosen = chosen === cell ? null : cell;
    draw();
  });

  function draw() {
    const { phase, lying = [], grid, rows, columns, starter, heels, total } = newest;
    const shown = phase === "lay" ? grid.map((row, r) => row.map((_, c) => lying[SIZE * r + c] ?? null)) : grid;
    const taps = (card) => plays() && (phase === "swap" || (phase === "place" && lying.length > 0 && !card));
    const line = (row, r) => row.map((card, c) => cellOf(card, `${r},${c}`, taps(card), chosen, marked)).join("") + worth(counted(rows[r]), `row ${r + 1}`);
    const counted = (points) => (starter ? points : "–");
    const deals = phase === "lay" && !lying.length;
    fill(el, `<div class="square">${shown.map(line).join("")}
        ${columns.map((points, c) => worth(counted(points), `column ${c + 1}`)).join("")}<b class="total">${safe(counted(total))}</b></div>
      <div class="beside"><span>${starter ? face(starter) : gap("No starter yet")}</span>
        <p>starter${heels ? `, his heels: ${heels}` : ""}</p>
        ${deals ? '<button type="button" class="button players" data-move="lay">Deal them here</button>' : ""}</div>`);
  }

  const show = (snapshot) => {
    if (newest?.moves !== snapshot.moves || newest?.run !== snapshot.run) chosen = null;
    newest = snapshot;
    draw();
  };
  return Object.assign(show, { mark: (cells) => ((marked = cells), draw()) });
}

const worth = (points, name) => `<output class="worth" aria-label="${name}">${safe(points)}</output>`;

function cellOf(card, cell, taps, chosen, marked) {
  if (!taps) return card ? face(card) : gap("Empty");
  const look = cell === chosen ? "chosen" : marked.includes(cell) ? "hinted" : "";
  return `<button type="button" class="card ${card ? colour(card) : "gap"} ${look}" data-cell="${cell}"
    aria-pressed="${cell === chosen}" aria-label="${card ? cardName(card) : "an empty place"}">${card ? corner(card) : ""}</button>`;
}

/** A layout dealt by this page: the one game where nobody minds who deals. */
function dealt() {
  const pack = [...DECK];
  const drawn = Array.from({ length: LAYOUT }, () => pack.splice(Math.floor(Math.random() * pack.length), 1)[0]);
  return { type: "lay", cards: drawn.slice(0, -1), starter: drawn.at(-1) };
}
