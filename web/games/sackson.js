// Sackson swap: the display of 25 markers, the chips, and what each figure is worth now.

import { combineComponents } from "../core/component.js";
import { constants } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { seatName, sideName, sideOf } from "../core/format.js";
import { formatMessage, formatPlural } from "../core/i18n.js";
import { any, ending } from "./game.js";
import { Laying, marker } from "./sackson-setup.js";

/** @typedef {Pick<Api.Snapshot, "display" | "bank" | "held" | "stones" | "double" | "turn">} ChipFields */
/** @typedef {Api.Snapshot & Required<ChipFields>} Swapped */
/** @typedef {Swapped["bank"]} Chips */

/** @type {import("./game.js").Game} */
export const swap = {
  ...any,
  key: "swap",
  races: false,
  abandons: () => "end",
  turn: (/** @type {Swapped} */ snapshot) => (SENTENCES[snapshot.phase] ?? any.turn)(snapshot),
  Panel: combineComponents(Chips, Display, Laying, Stones),
  seen: () => null,
};

/**
 * The chips of the side whose turn it is.
 * @param {Swapped} snapshot
 */
const held = (snapshot) => snapshot.held[sideOf(snapshot, snapshot.turn) ?? 0] ?? [];

/**
 * Their colours in words.
 * @param {Swapped} snapshot
 */
function two(snapshot) {
  const [one = "", other = ""] = held(snapshot);
  return { one: formatMessage(one), other: formatMessage(other) };
}

/** @type {Record<string, (snapshot: Swapped) => string>} */
const SENTENCES = {
  lay: () => formatMessage("Lay the markers."),
  take: (snapshot) => formatPlural("{name} takes a chip.", "{name} takes two chips.", 2 - held(snapshot).length, { name: seatName(snapshot, snapshot.turn) }),
  exchange: (snapshot) => formatMessage("{name} exchanges a {one} and a {other} marker.", { name: seatName(snapshot, snapshot.turn), ...two(snapshot) }),
  return: (snapshot) => formatMessage("{name} gives a chip back.", { name: seatName(snapshot, snapshot.turn) }),
  over: (snapshot) => ending(snapshot),
};

/**
 * Whether two snapshots are of one moment of one game, so that what was begun by taps still holds.
 * @param {Api.Snapshot | null} a
 * @param {Api.Snapshot} b
 */
const isSame = (a, b) => a?.moves === b.moves && a.run === b.run;

/**
 * The bank and what each side holds. A tap takes a chip, or gives it back.
 * @type {import("../core/component.js").Component}
 */
function Chips(el, { actions, plays }) {
  /** @type {Swapped | null} */
  let newest = null;
  /** @type {Chips} */
  let taken = [];
  onButtonClick(el, ({ move, chip: named }) => {
    const [chip] = constants.chips.colours.filter((each) => each === named);
    const seat = newest?.turn;
    if (!newest || !chip || typeof seat !== "number") return;
    if (move === "return") actions.makeMove({ type: "return", seat, chip });
    if (move !== "take") return;
    taken = taken.includes(chip) ? taken.filter((each) => each !== chip) : [...taken, chip];
    if (held(newest).length + taken.length === 2) actions.makeMove({ type: "take", seat, chips: taken });
    draw(newest);
  });

  /** @param {Swapped} snapshot */
  function draw(snapshot) {
    const { phase, bank, turn } = snapshot;
    const keys = (/** @type {Chips} */ chips, /** @type {string} */ move) => chips.map((each) => key(each, move, taken.includes(each)));
    const rows = snapshot.held.map((chips, side) => {
      const gives = phase === "return" && plays() && sideOf(snapshot, turn) === side;
      return row(sideName(snapshot, side), gives ? keys(chips, "return") : chips.map(chip));
    });
    morphHtml(el, row(formatMessage("Bank"), phase === "take" && plays() ? keys(bank, "take") : bank.map(chip)) + `<div class="both">${rows.join("")}</div>`);
  }

  return (/** @type {Swapped} */ snapshot) => {
    if (!isSame(newest, snapshot)) taken = [];
    newest = snapshot;
    draw(snapshot);
  };
}

/**
 * @param {string} name
 * @param {string[]} chips
 */
const row = (name, chips) => `<div class="chips" role="group" aria-label="${escapeHtml(name)}">
  <span class="whose">${escapeHtml(name)}</span> ${chips.join("") || "–"}</div>`;

/** @param {string} colour */
const chip = (colour) => `<span role="img" aria-label="${escapeHtml(formatMessage(colour))}">${marker(colour, "round")}</span>`;

/**
 * @param {string} colour
 * @param {string} move
 * @param {boolean} isPressed
 */
const key = (colour, move, isPressed) =>
  `<button type="button" class="chip-key" data-move="${move}" data-chip="${escapeHtml(colour)}" aria-pressed="${isPressed}"
    aria-label="${escapeHtml(move === "take" ? formatMessage("take the {colour} chip", { colour: formatMessage(colour) }) : formatMessage("return the {colour} chip", { colour: formatMessage(colour) }))}">${marker(colour, "round")}</button>`;

/** @param {string} cell */
const at = (cell) => cell.split(",").map(Number);

/**
 * The markers. A tap chooses one of the two colours held, and those it may change places with light up.
 * @type {import("../core/component.js").Component}
 */
function Display(el, { actions, plays }) {
  /** @type {Swapped | null} */
  let newest = null;
  /** @type {string | null} */
  let chosen = null;
  onButtonClick(el, ({ cell }) => {
    if (!cell || !newest) return;
    tap(newest, cell);
    draw(newest);
  });

  /**
   * The first of two, or another first, or the second: where that one is not legal, the table says why.
   * @param {Swapped} snapshot
   * @param {string} cell
   */
  function tap(snapshot, cell) {
    const colourAt = (/** @type {string} */ each) => snapshot.display[at(each)[0]][at(each)[1]];
    const colour = colourAt(cell);
    if (chosen === cell) chosen = null;
    else if (chosen && colourAt(chosen) !== colour) {
      actions.makeMove({ type: "exchange", seat: snapshot.turn ?? 0, a: at(chosen), b: at(cell) });
    } else if (colour && held(snapshot).includes(colour)) chosen = cell;
    else actions.showRefusal(formatMessage("Choose a {one} or a {other} marker.", two(snapshot)));
  }

  /** @param {Swapped} snapshot */
  function draw({ phase, display, legal = [] }) {
    const may = chosen ? partners(legal, chosen) : legal.flat().map(String);
    const look = (/** @type {string} */ cell) => (cell === chosen ? "chosen" : may.includes(cell) ? "may" : "");
    const isOpen = phase === "exchange" && plays();
    const cells = display.flatMap((row, r) => row.map((colour, c) =>
      isOpen && colour ? square(colour, `${r},${c}`, look(`${r},${c}`)) : `<span class="cell">${marker(colour)}</span>`));
    morphHtml(el, phase === "lay" ? "" : `<div class="display" role="group" aria-label="${formatMessage("The display")}">${cells.join("")}</div>`);
  }

  return (/** @type {Swapped} */ snapshot) => {
    if (!isSame(newest, snapshot)) chosen = null;
    newest = snapshot;
    draw(snapshot);
  };
}

/**
 * The cells that a cell may be exchanged with.
 * @param {number[][][]} legal
 * @param {string} cell
 */
export const partners = (legal, cell) =>
  legal.map((pair) => pair.map(String)).filter((pair) => pair.includes(cell)).flat().filter((each) => each !== cell);

/**
 * @param {string} colour
 * @param {string} cell
 * @param {string} look
 */
function square(colour, cell, look) {
  const [row, column] = at(cell).map((n) => n + 1);
  return `<button type="button" class="cell ${look}" data-cell="${cell}" aria-pressed="${look === "chosen"}"
    aria-label="${escapeHtml(formatMessage("{colour}, row {row}, column {column}", { colour: formatMessage(colour), row, column }))}${look === "may" ? formatMessage(", may be exchanged") : ""}">${marker(colour)}</button>`;
}

/**
 * What each figure of each colour is worth now.
 * @type {import("../core/component.js").Component}
 */
function Stones(el) {
  return (/** @type {Swapped} */ { stones }) => {
    const { colours } = constants.chips;
    const head = colours.map((colour) => `<th scope="col">${marker(colour, "round")}<span class="unseen">${formatMessage(colour)}</span></th>`);
    const rows = Object.entries(stones).map(([figure, worth]) =>
      `<tr><th scope="row">${escapeHtml(formatMessage(figure))}</th>${colours.map((colour) => `<td>${escapeHtml(worth[colour])}</td>`).join("")}</tr>`);
    morphHtml(el, `<table class="stones"><caption>${formatMessage("What a figure is worth now")}</caption>
      <thead><tr><td></td>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`);
  };
}
