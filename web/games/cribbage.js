// A deal of cribbage, in whatever game: the starter, the play, the hands it showed, the crib, and what players claim.
// And the two games that are not much more.

import { cardFace, correctableCardFace, emptyCardPlace } from "../components/card.js";
import { combineComponents } from "../core/component.js";
import { constants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { formatMessage, formatPlural } from "../core/i18n.js";
import { Claims } from "./claims.js";
import { any, ending } from "./game.js";

/** @typedef {Pick<Api.Snapshot, "dealer" | "turn" | "count" | "series" | "starter" | "gone" | "played" | "crib">} CardFields */
/**
 * A snapshot of a game of cards.
 * @typedef {Api.Snapshot & Required<CardFields>} Dealt
 */

/**
 * What the games of cards have in common.
 * @type {import("./game.js").Game}
 */
export const deal = {
  ...any,
  turn: (/** @type {Dealt} */ snapshot) => (SENTENCES[snapshot.phase] ?? any.turn)(snapshot),
  Panel: combineComponents(Cards, Claims),
  seen: (/** @type {Dealt} */ snapshot) => {
    if (snapshot.phase === "cut" || snapshot.phase === "between") return new Set();
    return ["play", "show", "crib"].includes(snapshot.phase) ? known(snapshot) : null;
  },
  known: (/** @type {Dealt} */ snapshot) => known(snapshot),
  shownSeat: ({ phase, turn, count = 0 }) => (phase === "play" && count > constants.count.any_fits ? turn ?? null : null),
  voids: ({ phase }) => ["play", "show", "claim", "crib"].includes(phase),
};

/** @param {Dealt} snapshot */
const known = ({ starter, played, hands = [], crib, lying = [] }) =>
  new Set([starter, ...played.flat(), ...hands.flat(), ...crib, ...lying]);

/** @type {Record<string, (snapshot: Dealt) => string>} */
const SENTENCES = {
  cut: (snapshot) => formatMessage("{name} deals. Cut the starter.", { name: seatName(snapshot, snapshot.dealer) }),
  play: (snapshot) =>
    snapshot.count > constants.count.any_fits
      ? formatMessage("{name} to play, or go.", { name: seatName(snapshot, snapshot.turn) })
      : formatMessage("{name} to play.", { name: seatName(snapshot, snapshot.turn) }),
  show: (snapshot) => formatPlural("{name} shows the hand: {n} card more.", "{name} shows the hand: {n} cards more.", missing(snapshot), { name: seatName(snapshot, snapshot.turn) }),
  claim: (snapshot) => formatMessage("{name} says the count.", { name: seatName(snapshot, snapshot.turn) }),
  crib: (snapshot) => {
    const lying = snapshot.crib.length;
    const name = seatName(snapshot, snapshot.turn);
    return lying ? formatMessage("{name} turns up the crib: {n} of 4.", { name, n: lying }) : formatMessage("{name} turns up the crib.", { name });
  },
  between: (snapshot) => formatMessage("{name} deals next.", { name: seatName(snapshot, snapshot.dealer) }),
  over: ending,
};

/**
 * How many cards of a hand are still to be seen.
 * @param {Dealt} snapshot
 */
function missing({ game, turn, played, lying = [] }) {
  return (game.key === "five-card" ? 3 : 4) - (played[turn ?? 0]?.length ?? 0) - lying.length;
}

/** @type {import("../core/component.js").Component} */
function Cards(el, { plays }) {
  el.innerHTML = `<h2 class="unseen">${formatMessage("The cards")}</h2>
    <div class="table"><div class="slot"><span class="starter"></span><small>${formatMessage("starter")}</small></div>
      <div class="lying"><div class="series" role="group" aria-label="${formatMessage("The series")}"></div><div class="hands"></div></div></div>`;
  const [starter, series, rows] = [".starter", ".series", ".hands"].map((each) => findElement(el, each));
  return (/** @type {Dealt} */ snapshot) => {
    const shown = plays() ? correctableCardFace : cardFace;
    morphHtml(starter, snapshot.starter ? shown(snapshot.starter) : emptyCardPlace(formatMessage("No starter yet")));
    morphHtml(series, snapshot.series.map(cardFace).join(""));
    morphHtml(rows, hands(snapshot, shown).join(""));
  };
}

/**
 * What each seat has shown, as played or as laid open, and the crib. Cards that lie and are no move yet are just shown.
 * @param {Dealt} snapshot
 * @param {(card: string) => string} shown
 */
function hands({ phase, turn, played, hands: whole = [], lying = [], gone, crib, ...snapshot }, shown) {
  const rows = played.map((cards, seat) => {
    const after = (phase === "show" && seat === turn ? lying.map(cardFace).join("") : "") + (gone.includes(seat) ? `<span class="tag">${formatMessage("go")}</span>` : "");
    const known = whole[seat]?.length ? whole[seat] : cards;
    return known.length || after ? hand(seatName(snapshot, seat), known.map(shown).join(""), after) : "";
  });
  return [...rows, crib.length ? hand(formatMessage("Crib"), crib.map(phase === "crib" ? cardFace : shown).join(""), "") : ""];
}

/**
 * @param {string} name
 * @param {string} cards
 * @param {string} after
 */
const hand = (name, cards, after) =>
  `<span class="whose">${escapeHtml(name)}</span>
    <span class="small-cards">${cards}${after}</span>`;

/** @type {import("./game.js").Game} */
export const sixCard = { ...deal, key: "six-card" };

/**
 * Its hands are laid open after the play.
 * @type {import("./game.js").Game}
 */
export const fiveCard = {
  ...deal,
  key: "five-card",
  opening: ({ dealer }, side) => (side === dealer ? 0 : constants.three_for_last),
};
