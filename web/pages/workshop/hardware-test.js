// Testing the hardware: light the holes one by one, watch readers and buttons, and learn the codes of a deck.

import { createActions, fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { cardName, holeSpokenName } from "../../core/format.js";
import { formatMessage, formatPlural, withLanguage } from "../../core/i18n.js";

const POLL_MS = 500;

/**
 * The hardware test, for players only. `holes` returns the holes of the board in the order of their pixels.
 * @param {HTMLElement} el
 * @param {() => string[]} holes
 */
export function HardwareTest(el, holes) {
  let at = -1;
  let refusal = "";
  const { storeForPhone } = createActions(() => {}, (sentence) => (refusal = sentence));

  /**
   * Post to the workshop, then draw the result.
   * @param {string} path
   * @param {object} body
   */
  const post = async (path, body) => {
    refusal = (await storeForPhone(`/api/workshop/${path}`, body)) ?? "";
    await draw();
  };

  /** Light the hole a number of steps away from the last one. @param {number} step */
  function lightHole(step) {
    at = Math.min(Math.max(at + step, 0), holes().length - 1);
    return post("lights", { holes: [holes()[at]] });
  }

  onButtonClick(el, ({ light, learns }) => {
    if (light === "all") post("lights", {});
    if (light === "next" || light === "back") lightHole(light === "next" ? 1 : -1);
    if (learns !== undefined) post("deck", { card: learns || null });
  });

  async function draw() {
    const workshop = await fetchApiOrNull(withLanguage("/api/workshop"));
    const parts = workshop && [lightsSection(holes()[at], at, holes().length), inputsSection(workshop.seen), deckSection(workshop.deck), refusalLine(refusal)];
    morphHtml(el, parts ? parts.join("") : `<p>${formatMessage("Players can test the hardware here.")}</p>`);
  }

  async function poll() {
    await draw();
    setTimeout(poll, POLL_MS);
  }
  poll();
}

/** @param {string} sentence */
const refusalLine = (sentence) => `<p role="alert" data-error>${escapeHtml(sentence)}</p>`;

/**
 * @param {string} data
 * @param {string} label
 * @param {boolean} isEnabled
 */
const testButton = (data, label, isEnabled = true) => `<button class="button" type="button" ${data} ${isEnabled ? "" : "disabled"}>${escapeHtml(label)}</button>`;

/**
 * @param {string | undefined} hole
 * @param {number} at
 * @param {number} count
 */
const lightsSection = (hole, at, count) => `<h2>${formatMessage("Test the lights")}</h2><p>${formatMessage("Each hole lights for three seconds. Check that it is the named one.")}</p>
  <p>${testButton('data-light="all"', formatMessage("All"))} ${testButton('data-light="back"', formatMessage("Previous hole"), at > 0)}
  ${testButton('data-light="next"', formatMessage("Next hole"), at < count - 1)}</p>
  <p role="status" data-lit="${escapeHtml(hole ?? "")}">${escapeHtml(hole ? formatMessage("{hole}, {at} of {count}", { hole: holeSpokenName(hole), at: at + 1, count }) : formatMessage("No hole yet."))}</p>`;

/** @param {{ scan?: string, press?: string }[]} inputs */
const inputsSection = (inputs) => `<h2>${formatMessage("Test the reader and the buttons")}</h2>
  <p>${formatMessage("Scan a card or press a button. The newest input is at the top. It also counts in the game.")}</p>
  <ul>${inputs.map(inputLine).join("") || `<li>${formatMessage("Nothing yet.")}</li>`}</ul>`;

/** @param {{ scan?: string, press?: string }} event */
const inputLine = ({ scan, press }) =>
  `<li data-seen="${escapeHtml(scan ?? press)}">${escapeHtml(scan === undefined ? formatMessage("Button {button}", { button: press }) : formatMessage("Card {code}", { code: scan }))}</li>`;

/** @param {{ asked: string | null, missing: number, left: string[], said: string }} learning */
const deckSection = ({ asked, missing, left, said }) => `<h2>${formatMessage("Learn a deck")}</h2>
  <p>${formatMessage("For cards with tags or codes of their own. While you learn them, scans do not count in the game.")}
  ${escapeHtml(missing ? formatPlural("One card has no code yet.", "{n} cards have no code yet.", missing) : formatMessage("Every card has its code."))}</p>
  <p role="status" data-asked="${escapeHtml(asked ?? "")}"><strong>${escapeHtml(asked ? formatMessage("Scan the {card}.", { card: cardName(asked) }) : "")}</strong>
  <span data-said>${escapeHtml(said)}</span></p>
  <p>${asked ? testButton('data-learns=""', formatMessage("Stop")) : testButton('data-learns="next"', missing ? formatMessage("Learn the deck") : formatMessage("Learn it again"))}
  ${asked && left.length > 1 ? testButton(`data-learns="${escapeHtml(cardAfter(left, asked))}"`, formatMessage("Skip")) : ""}</p>`;

/**
 * Return the card that is asked for next if this one is skipped.
 * @param {string[]} left
 * @param {string} asked
 */
const cardAfter = (left, asked) => left[(left.indexOf(asked) + 1) % left.length];
