// Cribbage, and the parts shared by all card games: the starter, the play, the hands, the crib, and claims.

import { cardFace, correctableCardFace, emptyCardPlace, unlabelledCardPlace } from "../components/cards/card.js";
import { combineComponents, loadedWhen } from "../core/component.js";
import { constants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { formatMessage, formatPlural, gettextNoop } from "../core/i18n.js";
import { defaultGame, resultSentence } from "./game.js";
import { HAND_SIZES } from "./hand-sizes.js";

/** @typedef {Pick<Api.Snapshot, "dealer" | "turn" | "count" | "series" | "starter" | "gone" | "played" | "crib">} CardFields */
/**
 * A snapshot of a card game.
 * @typedef {Api.Snapshot & Required<CardFields>} CardSnapshot
 */

const Claims = loadedWhen(({ game }) => game.options.counting === "manual", async () => (await import("./claims.js")).Claims);

const CribCount = loadedWhen(({ phase, game }) => phase === "crib" && game.pegs === "plain", async () => (await import("./crib-count.js")).CribCount);

/** The parts shared by all card games. @type {import("./game.js").Game} */
export const cardGame = {
  ...defaultGame,
  turnSentence: (/** @type {CardSnapshot} */ snapshot) => (TURN_SENTENCES[snapshot.phase] ?? defaultGame.turnSentence)(snapshot),
  Panel: combineComponents(CardTable, Claims, CribCount),
  seenCards: (/** @type {CardSnapshot} */ snapshot) => {
    if (snapshot.phase === "cut" || snapshot.phase === "between") return new Set();
    return ["play", "show", "crib"].includes(snapshot.phase) ? knownCards(snapshot) : null;
  },
  knownCards: (/** @type {CardSnapshot} */ snapshot) => knownCards(snapshot),
  goSeat: ({ phase, turn, count = 0 }) => (phase === "play" && count > constants.count.any_fits ? turn ?? null : null),
  canCallMisdeal: ({ phase }) => ["play", "show", "claim", "crib"].includes(phase),
};

/** Return the cards that have been seen in this deal. @param {CardSnapshot} snapshot */
const knownCards = ({ starter, played, hands = [], crib, lying = [] }) =>
  new Set([starter, ...played.flat(), ...hands.flat(), ...crib, ...lying]);

/** @type {Record<string, (snapshot: CardSnapshot) => string>} */
const TURN_SENTENCES = {
  cut: (snapshot) => snapshot.game.against // the companion deals, and cuts after the discards
    ? formatMessage("{name} chooses two cards for the crib.", { name: seatName(snapshot, 1 - snapshot.game.against.seat) })
    : formatMessage(cutPattern(snapshot), { name: seatName(snapshot, snapshot.dealer) }),
  play: (snapshot) => formatMessage(playPattern(snapshot), { name: seatName(snapshot, snapshot.turn) }),
  show: (snapshot) => formatPlural("{name} shows the hand: {n} more card.", "{name} shows the hand: {n} more cards.", countMissingCards(snapshot), { name: seatName(snapshot, snapshot.turn) }),
  claim: (snapshot) => formatMessage("{name} says the count.", { name: seatName(snapshot, snapshot.turn) }),
  crib: (snapshot) => {
    const lying = snapshot.crib.length;
    const name = seatName(snapshot, snapshot.turn);
    return lying ? formatMessage("{name} turns up the crib: {n} of 4.", { name, n: lying }) : formatMessage("{name} turns up the crib.", { name });
  },
  between: (snapshot) => formatMessage("{name} deals next.", { name: seatName(snapshot, snapshot.dealer) }),
  over: resultSentence,
};

/**
 * Return the pattern of the sentence before the cut. On a plain board it starts with the discards: of two players two
 * cards each; with five, not all players discard.
 * @param {Api.Snapshot} snapshot
 */
function cutPattern({ game, players }) {
  if (game.pegs !== "plain" || players.length > 4) return gettextNoop("{name} deals. Cut the starter.");
  return players.length === 2 ? gettextNoop("{name} deals. Two cards each to the crib, then cut and enter the starter.") : gettextNoop("{name} deals. One card each to the crib, then cut and enter the starter.");
}

/**
 * Return the pattern of the sentence in the play. On a plain board, where a deal has no other sign of it, it begins with what to do.
 * @param {CardSnapshot} snapshot
 */
function playPattern({ game, played, count, turn }) {
  if (game.pegs === "plain" && !game.against && played.every((cards) => cards.length === 0)) return gettextNoop("{name} plays first. Enter each card that is played.");
  return count > constants.count.any_fits && turn !== game.against?.seat ? gettextNoop("{name}: play a card or say go.") : gettextNoop("{name} to play.");
}

/** Return how many cards a hand has. @param {Pick<Api.Snapshot, "game">} snapshot */
export const handSize = ({ game }) => (HAND_SIZES[game.key] ?? HAND_SIZES["six-card"]);

/** Return how many cards of the hand are still to be shown. @param {Api.Snapshot} snapshot */
export const countMissingCards = (snapshot) => handSize(snapshot) - (snapshot.played?.[snapshot.turn ?? 0]?.length ?? 0) - (snapshot.lying?.length ?? 0);

/** The cards on the table. @type {import("../core/component.js").Component} */
function CardTable(el, { isPlayer }) {
  el.innerHTML = `<h2 class="unseen">${formatMessage("The cards")}</h2>
    <div class="table"><div class="slot"><span class="starter"></span><small>${formatMessage("starter")}</small></div>
      <div class="table-cards"><div class="hands"></div><div class="series" role="group"></div></div></div>`;
  const [starter, series, rows] = [".starter", ".series", ".hands"].map((each) => findElement(el, each));
  onButtonClick(el, ({ enter }) => enter !== undefined && openCardPad());
  return (/** @type {CardSnapshot} */ snapshot) => {
    const renderCard = isPlayer() ? correctableCardFace : cardFace;
    morphHtml(starter, snapshot.starter ? renderCard(snapshot.starter) : starterPlace(snapshot, isPlayer()));
    const crib = cribRow(snapshot, renderCard);
    series.ariaLabel = crib ? formatMessage("Crib") : formatMessage("The series");
    morphHtml(series, crib || snapshot.series.map(cardFace).join(""));
    morphHtml(rows, handRows(snapshot, renderCard).join(""));
  };
}

/**
 * Return the place of the starter. Before the cut it opens the card pad, where there is one and players enter cards.
 * @param {CardSnapshot} snapshot
 * @param {boolean} isPlayer
 */
const starterPlace = ({ phase, game }, isPlayer) => (isPlayer && phase === "cut" && !game.against && document.querySelector(CLOSED_PAD)
  ? `<button type="button" class="card-button" data-enter aria-label="${formatMessage("Enter the starter")}">${unlabelledCardPlace()}</button>`
  : emptyCardPlace(formatMessage("No starter yet")));

const CLOSED_PAD = "[data-open=cards][aria-controls=pad]";

function openCardPad() {
  const button = /** @type {HTMLElement | null} */ (document.querySelector(`${CLOSED_PAD}[aria-expanded=false]`));
  button?.click();
}

/**
 * Return a row for each hand. Cards that are not a move yet cannot be corrected.
 * @param {CardSnapshot} snapshot
 * @param {(card: string) => string} shown
 */
function handRows({ phase, turn, played, hands: whole = [], lying = [], gone, ...snapshot }, shown) {
  return played.map((cards, seat) => {
    const after = (phase === "show" && seat === turn ? lying.map(cardFace).join("") : "") + (gone.includes(seat) ? `<span class="tag">${formatMessage("go")}</span>` : "");
    const known = whole[seat]?.length ? whole[seat] : cards;
    return handRow(seatName(snapshot, seat), known.map(shown).join("") + after); // also without a card: the others keep their places
  });
}

/**
 * Return the crib, which takes the place of the series; "" before it is turned up.
 * @param {CardSnapshot} snapshot
 * @param {(card: string) => string} shown
 */
function cribRow({ phase, crib }, shown) {
  const missing = phase === "crib" ? unlabelledCardPlace().repeat(4 - crib.length) : "";
  return crib.length || missing ? handRow(formatMessage("Crib"), crib.map(phase === "crib" ? cardFace : shown).join("") + missing) : "";
}

/**
 * Return a row of cards with its name.
 * @param {string} name
 * @param {string} cards
 */
const handRow = (name, cards) => `<div class="row-label">${escapeHtml(name)}</div><div class="small-cards">${cards}</div>`;

/** @type {import("./game.js").Game} */
export const sixCard = { ...cardGame, key: "six-card" };

/** Five-card cribbage. @type {import("./game.js").Game} */
export const fiveCard = {
  ...cardGame,
  key: "five-card",
  openingScore: ({ dealer }, side) => (side === dealer ? 0 : constants.three_for_last),
};
