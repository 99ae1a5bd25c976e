// Sackson swap: the display of 25 markers, the chips, and what each figure is worth now.

import { fill, safe, together } from "../html.js";
import { seatName, sideName, sideOf } from "../words.js";
import { any, ending } from "./any.js";
import { Laying } from "./laying.js";
import { COLOURS, marker } from "./markers.js";

export const swap = {
  ...any,
  key: "swap",
  abandons: () => "end",
  turn: (snapshot) => (SENTENCES[snapshot.phase] ?? any.turn)(snapshot),
  Panel: together(Chips, Display, Laying, Stones),
  seen: () => null,
};

const held = ({ held: chips, ...snapshot }) => chips[sideOf(snapshot, snapshot.turn)];

const SENTENCES = {
  lay: () => "Lay the markers.",
  take: (snapshot) => `${seatName(snapshot, snapshot.turn)} takes ${held(snapshot).length ? "a chip" : "two chips"}.`,
  exchange: (snapshot) => `${seatName(snapshot, snapshot.turn)} exchanges a ${held(snapshot).join(" and a ")} marker.`,
  return: (snapshot) => `${seatName(snapshot, snapshot.turn)} gives a chip back.`,
  over: (snapshot) => (snapshot.double ? ending(snapshot).replace("wins", "wins double") : ending(snapshot)),
};

/** The bank and what each side holds. A tap takes a chip, or gives it back. */
function Chips(el, { actions, plays }) {
  let newest = null;
  let taken = [];
  el.addEventListener("click", (event) => {
    const { move, chip } = event.target.closest("button")?.dataset ?? {};
    if (move === "return") actions.move({ type: "return", seat: newest.turn, chip });
    if (move !== "take") return;
    taken = taken.includes(chip) ? taken.filter((each) => each !== chip) : [...taken, chip];
    if (held(newest).length + taken.length === 2) actions.move({ type: "take", seat: newest.turn, chips: taken });
    draw();
  });

  function draw() {
    const { phase, bank, turn } = newest;
    const row = (name, chips, buttons) => `<div class="chips" role="group" aria-label="${safe(name)}">
      <span class="whose">${safe(name)}</span> ${buttons || chips.map((each) => chip(each)).join("") || "–"}</div>`;
    const tap = (move) => (colour) => chip(colour, move, taken.includes(colour));
    const rows = newest.held.map((chips, side) => {
      const gives = phase === "return" && plays() && sideOf(newest, turn) === side;
      return row(sideName(newest, side), chips, gives ? chips.map(tap("return")).join("") : "");
    });
    fill(el, row("Bank", bank, phase === "take" && plays() ? bank.map(tap("take")).join("") : "")
      + `<div class="both">${rows.join("")}</div>`);
  }

  return (snapshot) => {
    if (newest?.moves !== snapshot.moves || newest?.run !== snapshot.run) taken = [];
    newest = snapshot;
    draw();
  };
}

const chip = (colour, move = "", pressed = false) =>
  move
    ? `<button type="button" class="chip-key" data-move="${move}" data-chip="${safe(colour)}" aria-pressed="${pressed}"
        aria-label="${move} the ${safe(colour)} chip">${marker(colour, "round")}</button>`
    : `<span role="img" aria-label="${safe(colour)}">${marker(colour, "round")}</span>`;

/** The markers. A tap chooses one of the two colours held, and those it may change places with light up. */
function Display(el, { actions, plays }) {
  let newest = null;
  let chosen = null;
  el.addEventListener("click", (event) => {
    const cell = event.target.closest("button")?.dataset.cell;
    if (cell) tap(cell), draw();
  });

  /** The first of two, or another first, or the second: where that one is not legal, the table says why. */
  function tap(cell) {
    const [a, b] = [chosen, cell].map((each) => each?.split(",").map(Number));
    const colourAt = ([row, column]) => newest.display[row][column];
    if (chosen === cell) chosen = null;
    else if (a && colourAt(a) !== colourAt(b)) actions.move({ type: "exchange", seat: newest.turn, a, b });
    else if (held(newest).includes(colourAt(b))) chosen = cell;
    else actions.refused(`Choose a ${held(newest).join(" or a ")} marker.`);
  }

  function draw() {
    const may = chosen ? partners(newest, chosen) : [...new Set((newest.legal ?? []).flat().map(String))];
    const lies = newest.phase === "exchange" && plays() ? square : (colour) => `<span class="cell">${marker(colour)}</span>`;
    const rows = newest.display.map((row, r) => row.map((colour, c) => lies(colour, `${r},${c}`, chosen, may)).join(""));
    fill(el, newest.phase === "lay" ? "" : `<div class="display" role="group" aria-label="The display">${rows.join("")}</div>`);
  }

  return (snapshot) => {
    if (newest?.moves !== snapshot.moves || newest?.run !== snapshot.run) chosen = null;
    newest = snapshot;
    draw();
  };
}

/** The cells that a cell may be exchanged with. */
const partners = ({ legal = [] }, cell) =>
  legal.filter((pair) => pair.some((each) => String(each) === cell)).flat().map(String).filter((each) => each !== cell);

function square(colour, cell, chosen, may) {
  const [row, column] = cell.split(",").map((n) => Number(n) + 1);
  const look = cell === chosen ? "chosen" : may.includes(cell) ? "may" : "";
  return `<button type="button" class="cell ${look}" data-cell="${cell}" aria-pressed="${cell === chosen}"
    aria-label="${safe(colour)}, row ${row}, column ${column}${look === "may" ? ", may be exchanged" : ""}">${marker(colour)}</button>`;
}

/** What each figure of each colour is worth now. */
function Stones(el) {
  return ({ stones }) => {
    const head = COLOURS.map((colour) => `<th scope="col">${marker(colour, "round")}<span class="unseen">${colour}</span></th>`);
    const rows = Object.entries(stones).map(([figure, worth]) =>
      `<tr><th scope="row">${safe(figure)}</th>${COLOURS.map((colour) => `<td>${safe(worth[colour])}</td>`).join("")}</tr>`);
    fill(el, `<table class="stones"><caption>What a figure is worth now</caption>
      <thead><tr><td></td>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`);
  };
}
