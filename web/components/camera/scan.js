// Scan cards: a photograph becomes the cards of a move, a private hand or a correction, after one tap of a person; a live picture
// of a whole hand or crib becomes it by itself. Loaded on demand by the pages with a card pad, with its own words and its own sheet.

import { countGridCells } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { formatMessage, formatPlural } from "../../core/i18n.js";
import { countMissingCards, handSize } from "../../games/cribbage.js";
import { findGame } from "../../games/index.js";
import { unlabelledCardFace } from "../cards/card.js";
import { createDialog } from "../dialog.js";
import { createCardPhoto, hasLiveCamera } from "./card-photo.js";
import { watchCards } from "./card-watch.js";

const CRIB_SIZE = 4;

/**
 * What the cards are for. `submit` gets them in order and returns the error message, or null; it calls `onDone` with each card
 * that need not be sent again. `countDue` returns the greatest number of cards. Cards that are `seen` elsewhere are left out at first.
 * @typedef {object} ScanRequest
 * @property {(cards: string[], onDone: (card: string) => void) => Promise<string | null>} submit
 * @property {() => number} countDue
 * @property {() => Set<unknown>} [seen] cards that lie elsewhere
 * @property {(cards: string[]) => string} [label] the text of the button
 * @property {() => boolean} [isWhole] whether the cards that are due lie together, in any order: fewer mean that one is hidden
 * @property {(card: string) => Promise<boolean>} [enter] enters one card at once; returns whether the table took it
 */

/** @type {Promise<(request: ScanRequest) => void> | null} */
let dialog = null;

/** Open the dialog. It is written at the first call. @param {ScanRequest} request */
export async function openScan(request) {
  dialog ??= createScanDialog();
  (await dialog)(request);
}

/**
 * Enters a card like a scan of it. Returns whether the table took the card.
 * @typedef {(card: string, snapshot: Api.Snapshot | null) => Promise<boolean>} EnterCard
 */

/**
 * Scan the cards that the table expects now; they are entered one by one until one is refused.
 * @param {import("../../core/api.js").Actions} actions
 * @param {() => Api.Snapshot | null} newest
 * @param {EnterCard} [enterCard]
 */
export const scanForTable = (actions, newest, enterCard) => openScan({
  countDue: () => countCardsDue(newest()),
  isWhole: () => newest()?.phase === "crib",
  seen: () => {
    const snapshot = newest();
    return snapshot ? findGame(snapshot).seenCards(snapshot) ?? new Set() : new Set();
  },
  submit: async (cards, onDone) => {
    for (const card of cards) {
      const refusal = await actions.tryMove({ type: "card", card });
      if (refusal !== null) return refusal;
      onDone(card);
    }
    return null;
  },
  enter: enterCard && ((card) => enterCard(card, newest())),
});

/**
 * Enter cards as they are laid, as before the page was closed.
 * @param {() => Api.Snapshot | null} newest
 * @param {EnterCard} enterCard
 */
export async function watchForTable(newest, enterCard) {
  await loadSheet();
  return watchCards((card) => enterCard(card, newest()));
}

/**
 * Scan the card that was misread. The known cards of its hand may be in the picture, too.
 * @param {() => Api.Snapshot | null} newest
 * @param {(to: string) => Promise<string | null>} correct
 */
export const scanForCorrection = (newest, correct) => openScan({
  countDue: () => 1,
  seen: () => {
    const snapshot = newest();
    return snapshot ? findGame(snapshot).knownCards(snapshot) : new Set();
  },
  submit: ([card]) => correct(card),
  label: ([card]) => (card ? formatMessage("It was the {card}", { card: cardName(card) }) : formatMessage("Which card was it?")),
});

/**
 * Return how many cards this phase of the game still takes, so that a card too many does not begin the next phase.
 * @param {Api.Snapshot | null} snapshot
 */
export function countCardsDue(snapshot) {
  if (!snapshot) return 0;
  const { phase, players, played = [], crib = [], lying = [] } = snapshot;
  switch (phase) {
    case "play": return handSize(snapshot) * players.length - played.flat().length;
    case "show": return countMissingCards(snapshot);
    case "crib": return CRIB_SIZE - crib.length;
    case "lay": return countGridCells() - lying.length;
    default: return 1;
  }
}

/** Write the dialog and return the function that opens it. */
async function createScanDialog() {
  await loadSheet();
  const element = findElement(document, "main").appendChild(document.createElement("dialog"));
  const { body, open, close } = createDialog(element, formatMessage("Scan cards"));
  body.innerHTML = `<div></div><p class="sheet-error" role="alert"></p><div class="scan-cards"></div><div class="sheet-end"></div>
    <div class="choices" data-watching><button type="button" class="button" data-watch>${escapeHtml(formatMessage("Enter cards as they are laid"))}</button></div>`;
  const [photoPart, error, list, end, watching] = ["div", ".sheet-error", ".scan-cards", ".sheet-end", "[data-watching]"].map((each) => findElement(body, each));
  /** @type {string[]} */
  let read = [];
  /** @type {string[]} */
  let chosen = [];
  /** @type {ScanRequest | null} */
  let request = null;
  let places = 0; // where the photograph shows a card
  let isSubmitting = false;
  const seenCards = () => request?.seen?.() ?? new Set();
  const photo = createCardPhoto(photoPart, {
    onRead: (cards, shown) => {
      places = shown;
      choose(cards, cards.filter((card) => !seenCards().has(card)));
    },
    onChoose: (card) => choose([...new Set([...read, card])], [...chosen, card]),
    seen: seenCards,
    countWhole: () => (request?.isWhole?.() ? request.countDue() : 0),
    onAgreed: (cards) => (choose(cards, cards), submit()),
  });

  onButtonClick(list, ({ scanned: card = "" }) => choose(read, chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card]));
  onButtonClick(end, submit);

  async function submit() {
    const current = request;
    if (!current || isSubmitting || isTooMany()) return draw(); // another phone may have entered cards meanwhile
    isSubmitting = true;
    draw();
    const remove = (/** @type {string} */ card) => request === current && choose(read.filter((each) => each !== card), chosen.filter((each) => each !== card));
    const refusal = await current.submit(chosen, remove).finally(() => (isSubmitting = false));
    draw();
    if (request !== current) return undefined; // closed, and opened for something else
    error.textContent = refusal ?? "";
    if (refusal === null) close();
    return undefined;
  }

  onButtonClick(watching, async () => {
    const current = request;
    if (!current?.enter) return;
    const isWatching = await watchCards(current.enter);
    if (isWatching) close();
    else if (request === current) error.textContent = formatMessage("The camera cannot be used. Allow it in the browser's settings.");
  });
  element.addEventListener("close", photo.clear);

  const isTooMany = () => chosen.length > (request?.countDue() ?? 0);

  /**
   * @param {string[]} all
   * @param {string[]} cards
   */
  function choose(all, cards) {
    [read, chosen] = [all, cards];
    error.textContent = "";
    draw();
  }

  function draw() {
    photo.draw(chosen);
    const due = request?.countDue() ?? 0, hidden = request?.isWhole?.() && places ? due - places : 0;
    morphHtml(list, renderScanned(read, chosen, due) + (hidden > 0 ? `<p>${escapeHtml(formatPlural("{n} card is hidden. Spread the fan and take another photo, or tap it in the pad.", "{n} cards are hidden. Spread the fan and take another photo, or tap them in the pad.", hidden))}</p>` : ""));
    morphHtml(end, read.length ? `<button type="button" class="button" data-accept ${chosen.length && !isTooMany() && !isSubmitting ? "" : "disabled"}>${
      escapeHtml(request?.label?.(chosen) ?? formatPlural("Enter {n} card", "Enter {n} cards", chosen.length))}</button>` : "");
  }

  return (/** @type {ScanRequest} */ wanted) => {
    request = wanted;
    [read, chosen, places] = [[], [], 0];
    error.textContent = "";
    photo.clear();
    watching.hidden = !wanted.enter || !hasLiveCamera();
    draw();
    open();
    if (wanted.isWhole?.() && hasLiveCamera()) photo.openCamera();
  };
}

/**
 * Return the cards in the order in which they will be entered.
 * @param {string[]} read
 * @param {string[]} chosen
 * @param {number} due
 */
function renderScanned(read, chosen, due) {
  if (!read.length) return "";
  const cards = read.map((card) => {
    const place = chosen.indexOf(card) + 1;
    return `<button type="button" class="card-button" data-scanned="${card}" data-place="${place || "–"}" aria-pressed="${place > 0}"
      aria-label="${escapeHtml(place ? `${place}: ${cardName(card)}` : cardName(card))}">${unlabelledCardFace(card)}</button>`;
  });
  const hint = chosen.length > due ? formatPlural("Only {n} card can be entered now. Tap the others to leave them out.", "Only {n} cards can be entered now. Tap the others to leave them out.", due)
    : read.length > 1 ? formatMessage("They are entered in this order. Tap a card to leave it out, and again to put it last.") : "";
  return `<div class="choices" role="group" aria-label="${escapeHtml(formatMessage("The cards"))}">${cards.join("")}</div>${hint ? `<p>${escapeHtml(hint)}</p>` : ""}`;
}

/** Load the sheet of the photograph, which the first load of the page leaves out. */
const loadSheet = () => new Promise((resolve) => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("./card-photo.css", import.meta.url).href;
  link.onload = link.onerror = resolve;
  document.head.append(link);
});
