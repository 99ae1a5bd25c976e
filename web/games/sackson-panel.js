// The panel of Sackson swap: the display of 25 markers, the chips, and the value of each figure.

import { combineComponents } from "../core/component.js";
import { constants } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { sideName, sideOf } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { MarkerSetup, markerIcon } from "./sackson-setup.js";
import { chipColours, heldChips } from "./sackson-view.js";

/** @import { SacksonSnapshot } from "./sackson.js" */
/** @typedef {SacksonSnapshot["bank"]} Chips */

export const SacksonPanel = combineComponents(ChipPanel, MarkerDisplay, MarkerSetup, FigureValues);

/**
 * Whether two snapshots show the same moment of a game, so that an unfinished entry is still valid.
 * @param {Api.Snapshot | null} a
 * @param {Api.Snapshot} b
 */
const isSameMoment = (a, b) => a?.moves === b.moves && a.run === b.run;

/** The bank and the chips of each side. A tap takes or returns a chip. @type {import("../core/component.js").Component} */
function ChipPanel(el, { actions, isPlayer }) {
  /** @type {SacksonSnapshot | null} */
  let newest = null;
  /** @type {Chips} */
  let taken = [];
  onButtonClick(el, ({ move, chip: named }) => {
    const [chip] = constants.chips.colours.filter((each) => each === named);
    const seat = newest?.turn;
    if (!newest || !chip || typeof seat !== "number") return null;
    if (move === "return") return actions.makeMove({ type: "return", seat, chip });
    if (move !== "take") return null;
    taken = taken.includes(chip) ? taken.filter((each) => each !== chip) : [...taken, chip];
    draw(newest);
    return heldChips(newest).length + taken.length === 2 ? actions.makeMove({ type: "take", seat, chips: taken }) : null;
  });

  /** @param {SacksonSnapshot} snapshot */
  function draw(snapshot) {
    const { phase, bank, turn } = snapshot;
    const keys = (/** @type {Chips} */ chips, /** @type {string} */ move) => chips.map((each) => chipButton(each, move, taken.includes(each)));
    const rows = snapshot.held.map((chips, side) => {
      const gives = phase === "return" && isPlayer() && sideOf(snapshot, turn) === side;
      return chipRow(sideName(snapshot, side), gives ? keys(chips, "return") : chips.map(chipIcon));
    });
    morphHtml(el, phase === "lay" ? "" : chipRow(formatMessage("Bank"), phase === "take" && isPlayer() ? keys(bank, "take") : bank.map(chipIcon)) + `<div class="both">${rows.join("")}</div>`);
  }

  return (/** @type {SacksonSnapshot} */ snapshot) => {
    if (!isSameMoment(newest, snapshot)) taken = [];
    newest = snapshot;
    draw(snapshot);
  };
}

/**
 * Return a row of chips.
 * @param {string} name
 * @param {string[]} chips
 */
const chipRow = (name, chips) => `<div class="chips" role="group" aria-label="${escapeHtml(name)}">
  <span class="row-label">${escapeHtml(name)}</span> ${chips.join("") || "–"}</div>`;

/** @param {string} colour */
const chipIcon = (colour) => `<span role="img" aria-label="${escapeHtml(formatMessage(colour))}">${markerIcon(colour, "round")}</span>`;

/**
 * Return a chip as a button.
 * @param {string} colour
 * @param {string} move
 * @param {boolean} isPressed
 */
const chipButton = (colour, move, isPressed) =>
  `<button type="button" class="chip-key" data-move="${move}" data-chip="${escapeHtml(colour)}" aria-pressed="${isPressed}"
    aria-label="${escapeHtml(move === "take" ? formatMessage("take the {colour} chip", { colour: formatMessage(colour) }) : formatMessage("return the {colour} chip", { colour: formatMessage(colour) }))}">${markerIcon(colour, "round")}</button>`;

/** Parse a cell: "1,2" → [1, 2]. @param {string} cell */
const parseCell = (cell) => cell.split(",").map(Number);

/**
 * The markers. A tap chooses one of the two held colours and highlights the markers it may be exchanged with.
 * @type {import("../core/component.js").Component}
 */
function MarkerDisplay(el, { actions, isPlayer }) {
  /** @type {SacksonSnapshot | null} */
  let newest = null;
  /** @type {string | null} */
  let chosen = null;
  onButtonClick(el, ({ cell }) => {
    const answer = cell && newest ? tapCell(newest, cell) : null;
    if (newest) draw(newest);
    return answer;
  });

  /**
   * Choose the first marker, another first one, or the second. The table explains why an exchange is not legal.
   * @param {SacksonSnapshot} snapshot
   * @param {string} cell
   */
  function tapCell(snapshot, cell) {
    const colourAt = (/** @type {string} */ each) => snapshot.display[parseCell(each)[0]][parseCell(each)[1]];
    const colour = colourAt(cell);
    if (chosen && chosen !== cell && colourAt(chosen) !== colour) {
      return actions.makeMove({ type: "exchange", seat: snapshot.turn ?? 0, a: parseCell(chosen), b: parseCell(cell) });
    }
    if (chosen === cell) chosen = null;
    else if (colour && heldChips(snapshot).includes(colour)) chosen = cell;
    else actions.showRefusal(formatMessage("Choose a {one} or a {other} tile.", chipColours(snapshot)));
    return null;
  }

  /** @param {SacksonSnapshot} snapshot */
  function draw({ phase, display, legal = [] }) {
    const may = chosen ? exchangePartners(legal, chosen) : legal.flat().map(String);
    const cellClass = (/** @type {string} */ cell) => (cell === chosen ? "chosen" : may.includes(cell) ? "may" : "");
    const isOpen = phase === "exchange" && isPlayer();
    const cells = display.flatMap((row, r) => row.map((colour, c) =>
      isOpen && colour ? markerButton(colour, `${r},${c}`, cellClass(`${r},${c}`)) : `<span class="cell">${markerIcon(colour)}</span>`));
    morphHtml(el, phase === "lay" ? "" : `<div class="display" role="group" aria-label="${formatMessage("The display")}">${cells.join("")}</div>`);
  }

  return (/** @type {SacksonSnapshot} */ snapshot) => {
    if (!isSameMoment(newest, snapshot)) chosen = null;
    newest = snapshot;
    draw(snapshot);
  };
}

/**
 * Return the cells that a cell may be exchanged with.
 * @param {number[][][]} legal
 * @param {string} cell
 */
export const exchangePartners = (legal, cell) =>
  legal.map((pair) => pair.map(String)).filter((pair) => pair.includes(cell)).flat().filter((each) => each !== cell);

/**
 * Return a marker as a button.
 * @param {string} colour
 * @param {string} cell
 * @param {string} look
 */
function markerButton(colour, cell, look) {
  const [row, column] = parseCell(cell).map((n) => n + 1);
  return `<button type="button" class="cell ${look}" data-cell="${cell}" aria-pressed="${look === "chosen"}"
    aria-label="${escapeHtml(formatMessage("{colour}, row {row}, column {column}", { colour: formatMessage(colour), row, column }))}${look === "may" ? formatMessage(", may be exchanged") : ""}">${markerIcon(colour)}</button>`;
}

/** The value of each figure in each colour. @type {import("../core/component.js").Component} */
function FigureValues(el) {
  return (/** @type {SacksonSnapshot} */ { stones }) => {
    const { colours } = constants.chips;
    const head = colours.map((colour) => `<th scope="col">${markerIcon(colour, "round")}<span class="unseen">${formatMessage(colour)}</span></th>`);
    const rows = Object.entries(stones).map(([figure, worth]) =>
      `<tr><th scope="row">${escapeHtml(formatMessage(figure))}</th>${colours.map((colour) => `<td>${escapeHtml(worth[colour])}</td>`).join("")}</tr>`);
    morphHtml(el, `<table class="stones"><caption>${formatMessage("Current value of each pattern")}</caption>
      <thead><tr><td></td>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`);
  };
}
