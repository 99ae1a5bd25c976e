// Entry of the page that counts any hand: photographed or tapped, with or without a starter. It needs no game.

import { createCardPhoto } from "../../components/camera/card-photo.js";
import { cardFace, cardsToChoose, unlabelledCardFace } from "../../components/cards/card.js";
import { fetchApi, fetchApiOrNull } from "../../core/api.js";
import { constants, setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { formatMessage, formatPlural, loadCatalogue } from "../../core/i18n.js";

/** @typedef {Api.Answers["/api/count"]} HandCount */

const HAND_SIZE = 4;
const FIVE_CARD_HAND_SIZE = 3;

const el = findElement(document, "[data-counting]");
/** @type {string[]} */
let chosen = [];
/** @type {string | null} */
let starter = null;
let isCrib = false;
/** @type {HandCount | null} */
let counted = null;
let countedQuery = "";

/** Return the cards without the starter. */
const handCards = () => chosen.filter((card) => card !== starter);

/** Whether these cards can be counted now. */
const isWhole = () => handCards().length === HAND_SIZE || (starter !== null && handCards().length === FIVE_CARD_HAND_SIZE);

/** Whether these cards may be a crib, which has four cards. */
const mayBeCrib = () => handCards().length === HAND_SIZE;

/** Return the query of the count. */
const countQuery = () => `?cards=${handCards().join("")}${starter ? `&starter=${starter}` : ""}${isCrib && mayBeCrib() ? "&crib=on" : ""}`;

/** Change the cards, and count them if they are a hand. @param {string[]} cards */
async function chooseCards(cards) {
  chosen = cards;
  if (starter && !chosen.includes(starter)) starter = null;
  draw();
  if (!isWhole()) return;
  const query = countQuery();
  const found = await fetchApiOrNull(`/api/count${query}`);
  if (!isWhole() || query !== countQuery()) return; // changed meanwhile
  [counted, countedQuery] = [found, query];
  draw();
}

/** @param {string} card */
const toggleCard = (card) => chooseCards(chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card]);

/** Draw what depends on the cards; set once the page is written. */
let draw = () => {};

/** Write the page once. Photographs are for players of the table, where it can read them. @param {Api.Answers["/api/me"] | null} me */
function writePage(me) {
  const why = !constants.reads_photos ? formatMessage("This table cannot read photos: it needs the extra [camera]. Tap the cards instead.")
    : me?.role === "player" ? "" : formatMessage("Only players of this table can send photos. Tap the cards instead.");
  el.innerHTML = `<div data-photos>${why ? `<p>${escapeHtml(why)}</p>${constants.reads_photos ? `<p class="hint">${escapeHtml(me?.how_to_join)}</p>` : ""}` : ""}</div>
    <section class="hand-count" data-hand aria-live="polite"></section>
    <section><h2>${escapeHtml(formatMessage("Tap the cards"))}</h2><div class="pad"></div></section>`;
  const [photos, hand, pad] = ["[data-photos]", "[data-hand]", ".pad"].map((each) => findElement(el, each));
  const photo = why ? null : createCardPhoto(photos, {
    onRead: (cards) => {
      [starter, isCrib] = [null, false];
      chooseCards(cards);
    },
    onChoose: (card) => chooseCards([...chosen, card]),
  });

  draw = () => {
    photo?.draw(chosen);
    morphHtml(hand, renderHand());
    morphHtml(pad, cardsToChoose(chosen));
  };
  onButtonClick(pad, ({ card }) => card && toggleCard(card));
  onButtonClick(hand, ({ starter: card, crib, clear }) => {
    if (card) starter = starter === card ? null : card;
    if (crib !== undefined) isCrib = !isCrib;
    if (clear !== undefined) [starter, isCrib] = [null, false], photo?.clear();
    chooseCards(clear === undefined ? chosen : []);
  });
  draw();
}

/** Return the cards, what to do next, and the count. */
function renderHand() {
  const cards = chosen.map((card) => `<button type="button" class="card-button" data-starter="${card}" aria-pressed="${card === starter}"
    aria-label="${escapeHtml(card === starter ? formatMessage("{card}, the starter", { card: cardName(card) }) : formatMessage("The starter is the {card}", { card: cardName(card) }))}">${unlabelledCardFace(card)}<small>${
  card === starter ? escapeHtml(formatMessage("starter")) : ""}</small></button>`).join("");
  const crib = mayBeCrib() ? `<button type="button" class="button" data-crib aria-pressed="${isCrib}">${escapeHtml(formatMessage("It is the crib"))}</button>` : "";
  const clear = chosen.length ? `<button type="button" class="button" data-clear>${escapeHtml(formatMessage("New hand"))}</button>` : "";
  return `<div class="choices hand-cards" role="group" aria-label="${escapeHtml(formatMessage("The hand"))}">${cards}</div>
    <p>${escapeHtml(describeNextStep())}</p>
    ${isWhole() && countedQuery === countQuery() ? renderCount() : ""}
    <div class="choices">${crib}${clear}</div>`;
}

/** Return what to do next in a sentence. */
function describeNextStep() {
  const missing = HAND_SIZE - handCards().length;
  if (!chosen.length) return formatMessage("A hand has four cards, and the starter makes five.");
  if (isWhole() && missing === 0) return starter ? "" : formatMessage("Counted without a starter. Add a fifth card for it.");
  if (isWhole()) return formatMessage("Counted as in five-card cribbage. In other games, add a card.");
  if (missing > 0) return formatPlural("Add {n} more card.", "Add {n} more cards.", missing);
  if (missing === -1 && !starter) return formatMessage("Tap the starter.");
  return formatPlural("{n} card too many: tap it below to take it away.", "{n} cards too many: tap them below to take them away.", starter ? -missing : -missing - 1);
}

/** Return the count and its items. */
function renderCount() {
  if (!counted) return `<p>${escapeHtml(formatMessage("The table does not answer. Try again."))}</p>`;
  const items = counted.items.map(({ points, say, cards }) => `<li><span>${escapeHtml(say)}</span><span class="small-cards">${cards.map(cardFace).join("")}</span><b>+${points}</b></li>`);
  return `<h2 class="hand-points">${escapeHtml(formatPlural("{n} point", "{n} points", counted.points))}</h2>
    ${items.length ? `<p>${escapeHtml(counted.say.replace(/^./u, (letter) => letter.toUpperCase()))}.</p><ul class="count-items">${items.join("")}</ul>` : ""}`;
}

async function startPage() {
  await loadCatalogue();
  setConstants(await fetchApi("/api/constants"));
  writePage(await fetchApiOrNull("/api/me"));
}

startPage();
