// Trying the parts of a board: light one hole after the other, see what readers and buttons say, learn a deck by reading it.

import { Actions, ask } from "../core/api.js";
import { fill, pressed, safe } from "../core/dom.js";
import { cardName, holeSpoken } from "../core/format.js";
import { inLanguage, say, sayMany } from "../core/i18n.js";

const LOOK_MS = 500;

/**
 * Players only: a watcher is told so. `holes` gives the board's, in the order of their pixels.
 * @param {HTMLElement} el
 * @param {() => string[]} holes
 */
export function Trying(el, holes) {
  let at = -1;
  let refused = "";
  const { keep } = Actions(() => {}, (sentence) => (refused = sentence));

  /**
   * @param {string} path
   * @param {object} body
   */
  const post = async (path, body) => {
    refused = (await keep(`/api/workshop/${path}`, body)) ?? "";
    await draw();
  };

  /** @param {number} step */
  function turn(step) {
    at = Math.min(Math.max(at + step, 0), holes().length - 1);
    return post("lights", { holes: [holes()[at]] });
  }

  pressed(el, ({ light, learns }) => {
    if (light === "all") post("lights", {});
    if (light === "next" || light === "back") turn(light === "next" ? 1 : -1);
    if (learns !== undefined) post("deck", { card: learns || null });
  });

  async function draw() {
    const told = await ask(inLanguage("/api/workshop"));
    const parts = told && [lights(holes()[at], at, holes().length), seen(told.seen), deck(told.deck), complaint(refused)];
    fill(el, parts ? parts.join("") : `<p>${say("Players can try the parts here.")}</p>`);
  }

  async function look() {
    await draw();
    setTimeout(look, LOOK_MS);
  }
  look();
}

/** @param {string} sentence */
const complaint = (sentence) => `<p role="alert" data-error>${safe(sentence)}</p>`;

/**
 * @param {string} data
 * @param {string} words
 * @param {boolean} can
 */
const button = (data, words, can = true) => `<button class="button" type="button" ${data} ${can ? "" : "disabled"}>${safe(words)}</button>`;

/**
 * @param {string | undefined} hole
 * @param {number} at
 * @param {number} count
 */
const lights = (hole, at, count) => `<h2>${say("Try the lights")}</h2><p>${say("Each lights for three seconds. Does the hole glow that is named?")}</p>
  <p>${button('data-light="all"', say("All"))} ${button('data-light="back"', say("The one before"), at > 0)}
  ${button('data-light="next"', say("The next hole"), at < count - 1)}</p>
  <p role="status" data-lit="${safe(hole ?? "")}">${safe(hole ? say("{hole}, {at} of {count}", { hole: holeSpoken(hole), at: at + 1, count }) : say("No hole yet."))}</p>`;

/** @param {{ scan?: string, press?: string }[]} all */
const seen = (all) => `<h2>${say("Try reader and buttons")}</h2>
  <p>${say("Put a card to the reader, press a button: what came last is first. It plays, too, where it fits.")}</p>
  <ul>${all.map(event).join("") || `<li>${say("Nothing yet.")}</li>`}</ul>`;

/** @param {{ scan?: string, press?: string }} event */
const event = ({ scan, press }) =>
  `<li data-seen="${safe(scan ?? press)}">${safe(scan === undefined ? say("Button {button}", { button: press }) : say("Card {code}", { code: scan }))}</li>`;

/** @param {{ asked: string | null, missing: number, left: string[], said: string }} told */
const deck = ({ asked, missing, left, said }) => `<h2>${say("Learn a deck")}</h2>
  <p>${say("Cards with tags or codes of their own. Meanwhile nothing that is read plays.")}
  ${safe(missing ? sayMany("One card has no code yet.", "{n} cards have no code yet.", missing) : say("Every card has its code."))}</p>
  <p role="status" data-asked="${safe(asked ?? "")}"><strong>${safe(asked ? say("Put the {card} to the reader.", { card: cardName(asked) }) : "")}</strong>
  <span data-said>${safe(said)}</span></p>
  <p>${asked ? button('data-learns=""', say("Stop")) : button('data-learns="next"', missing ? say("Learn the deck") : say("Learn it again"))}
  ${asked && left.length > 1 ? button(`data-learns="${safe(after(left, asked))}"`, say("Leave it out")) : ""}</p>`;

/**
 * The card that is asked for after this one, where it is left out.
 * @param {string[]} left
 * @param {string} asked
 */
const after = (left, asked) => left[(left.indexOf(asked) + 1) % left.length];
