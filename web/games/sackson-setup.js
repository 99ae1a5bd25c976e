// The markers of Sackson swap, and the setup of a chosen start: 25 markers entered row by row or shuffled.

import { constants } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/** @typedef {Api.Constants["chips"]["colours"]} Colours */

/** The setup, shown while the markers are to be laid. The table refuses an invalid start. @type {import("../core/component.js").Component} */
export function MarkerSetup(el, { actions }) {
  /** @type {Colours} */
  let entered = [];
  onButtonClick(el, ({ colour, lay }) => {
    const named = constants.chips.colours.filter((each) => each === colour);
    if (colour) entered = [...entered, ...named];
    if (lay === "back") entered = entered.slice(0, -1);
    if (lay === "shuffle") entered = shuffleMarkers();
    draw();
    return lay === "lay" && actions.makeMove({ type: "lay", colours: entered });
  });

  function draw() {
    const { colours, each: most } = constants.chips;
    const cells = Array.from({ length: most * colours.length }, (_, i) => `<span class="cell">${markerIcon(entered[i])}</span>`);
    const full = entered.length === cells.length;
    const colourButton = (/** @type {string} */ colour) => `<button type="button" class="chip-key" data-colour="${colour}" aria-label="${formatMessage("a {colour} tile", { colour: formatMessage(colour) })}"
      ${full || entered.filter((each) => each === colour).length === most ? "disabled" : ""}>${markerIcon(colour, "round")}</button>`;
    morphHtml(el, `<div class="display" role="img" aria-label="${formatMessage("{n} of {all} tiles placed", { n: entered.length, all: cells.length })}">${cells.join("")}</div>
      <div class="players laying"><div class="chips">${colours.map(colourButton).join("")}</div>
      <div class="choices"><button type="button" class="button" data-lay="back" ${entered.length ? "" : "disabled"}>${formatMessage("Back")}</button>
        <button type="button" class="button" data-lay="shuffle">${formatMessage("Shuffle")}</button>
        <button type="button" class="button" data-lay="lay" data-move="lay" ${full ? "" : "disabled"}>${formatMessage("Play this setup")}</button></div></div>`);
  }

  return ({ phase }) => {
    if (phase === "lay") return draw();
    entered = [];
    return morphHtml(el, "");
  };
}

/** Return the markers in random order. */
function shuffleMarkers() {
  const all = constants.chips.colours.flatMap((colour) => Array(constants.chips.each).fill(colour));
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

/**
 * Return a marker, labelled with the letter of its colour; an empty place without a colour.
 * @param {string | null | undefined} colour
 * @param {string} also
 */
export const markerIcon = (colour, also = "") =>
  `<span class="marker ${escapeHtml(colour ?? "none")} ${also}">${colour ? escapeHtml(markerLetter(colour)) : ""}</span>`;

/** @param {string} colour */
const markerLetter = (colour) => (colour === "brown" ? "n" : colour[0]).toUpperCase();
