// My seat and hand: a phone may take a seat and hold the cards dealt there, which no other phone sees. A tap plays a card.

import { fetchApiOrNull } from "../../core/api.js";
import { constants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { cardName, cardValue, momentKey, seatName, sortCards } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { SEATED_SETTING, loadSetting, saveSetting } from "../../core/preferences.js";
import { HAND_SIZES, countDealt } from "../../games/hand-sizes.js";
import { findGame } from "../../games/index.js";
import { loadScan, scanButton } from "../camera/scan-button.js";
import { createDialog } from "../dialog.js";
import { cardFan, cardsToChoose, unlabelledCardFace } from "./card.js";
import { createDiscard, discardSentence, isDiscardDue, myDiscard } from "./discard.js";
import { createHint } from "./hint.js";

const MAX_CARDS = 6;

/** The seat of this phone and its cards; `isLoading` until they are known after a move. `leaveSeat` gives the seat back, if there is one. */
export const myHand = { seat: /** @type {number | null} */ (null), cards: /** @type {string[]} */ ([]), isLoading: false, leaveSeat: async () => {} };

/** Return the cards of this hand that are not played yet. @param {Api.Snapshot} snapshot */
const cardsLeft = ({ played = [] }) => myHand.cards.filter((card) => !played.flat().includes(card));

/**
 * Whether a card of this hand fits the count: then this seat cannot say go.
 * @param {Api.Snapshot} snapshot
 * @param {number} limit
 */
export const hasPlayableCard = (snapshot, limit) => cardsLeft(snapshot).some((card) => isPlayable(snapshot, card, limit));

/**
 * @param {Api.Snapshot} snapshot
 * @param {string} card
 * @param {number} limit
 */
const isPlayable = ({ count = 0 }, card, limit) => count + cardValue(card) <= limit;

/**
 * Whether the companion deals the cards of this phone. Where there is a card reader, people may deal a pack of their own; on
 * the bench they do so with simulated cards.
 * @param {Api.Snapshot} snapshot
 */
export function isDealtByCompanion({ game, devices, phase }) {
  const reader = devices.cards?.url ?? "none:";
  if (!game.against || myHand.seat === null || myHand.seat === game.against.seat) return false;
  return reader.startsWith("none:") || (reader.startsWith("sim:") && (game.pegs === "plain" || phase !== "cut" || myHand.isLoading || myHand.cards.length > 0));
}

/** Return what the player of this phone does now, or waits for; "" where the sentence for everybody says it. @param {Api.Snapshot} snapshot */
export function ownTurnSentence(snapshot) {
  const { game, phase, turn, played = [] } = snapshot;
  const { seat, cards } = myHand;
  if (isMyDiscard(snapshot)) {
    if (!isDealtByCompanion(snapshot) || isDiscardDue(snapshot, cards)) return discardSentence(snapshot, seat);
    return cards.length ? formatMessage("The companion is discarding…") : formatMessage("The companion is dealing…");
  }
  if (phase !== "play" || seat === null || turn !== seat) return "";
  if (hasPlayableCard(snapshot, constants.count.most)) return formatMessage("Your turn: tap a card.");
  const isWhole = cardsLeft(snapshot).length + (played[seat]?.length ?? 0) === HAND_SIZES[game.key];
  if (isWhole && isDealtByCompanion(snapshot)) return formatMessage("No card fits: go.");
  return isWhole ? formatMessage("No card fits: tap Go.") : "";
}

/**
 * Return the sentences of the last move. An undone card of this phone's player is theirs again.
 * @param {Api.Snapshot} snapshot
 * @returns {string[]}
 */
export function lastSentences({ last }) {
  const { said = [], undone } = last ?? {};
  return undone?.type === "play" && undone.seat === myHand.seat ? [formatMessage("Your {card} is back in your hand.", { card: cardName(undone.card) })] : said;
}

/** Whether this phone's player discards now to the crib of a deal against the companion. @param {Api.Snapshot} snapshot */
export const isMyDiscard = ({ game, phase }) => phase === "cut" && !!game.against && myHand.seat !== null && myHand.seat !== game.against.seat;

/** The cards, a dialog to enter them, and the seat in the menu. @type {import("../../core/component.js").Component} */
export function MyHand(el, { actions, isPlayer, redraw }) {
  const seatPart = findElement(document, "[data-part=sit]");
  const { body, open, close } = createDialog(/** @type {HTMLDialogElement} */ (findElement(document, "[data-part=hand]")), formatMessage("My cards"));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let drawnMoment = "";
  let newestLoad = 0;
  /** @type {string[]} the cards of this deal, each in its place: nothing moves under the finger when one of them goes */
  let places = [];
  /** @type {string[]} */
  let chosen = [];

  const hint = createHint(() => newest && draw(newest));
  const discard = createDiscard(() => (newest && draw(newest), redraw()));
  const tapDiscard = (/** @type {string} */ card) => discard.handleTap(card, myHand.cards, async (cards) => (await actions.storeForPhone("/api/hand", { cards }), reload()));
  /** Focus the heading if the pressed button is gone or disabled (Firefox keeps the focus there). Whoever has gone on stays there. */
  function keepFocus() {
    if (document.activeElement?.matches("body, :disabled")) el.querySelector("h2")?.focus({ preventScroll: true });
  }
  myHand.leaveSeat = async () => (myHand.seat === null ? undefined : takeSeat(null));
  myDiscard.send = async () => (await tapDiscard(""), keepFocus());
  onButtonClick(el, async ({ own: card, open: opens, away, hint: asksHint, photograph }) => {
    if (asksHint !== undefined && newest) await hint.requestHint(newest);
    else if (away) await tapDiscard(away);
    else if (card && myHand.seat !== null) await actions.makeMove({ type: "play", seat: myHand.seat, card });
    if (card) keepFocus();
    if (photograph !== undefined) await (newest?.phase === "crib" ? scanCrib() : scanHand());
    if (opens) chosen = [...myHand.cards], drawDialog(), open();
  });
  onButtonClick(seatPart, ({ sit = "" }) => takeSeat(sit === "" ? null : Number(sit)));
  onButtonClick(body, async ({ card, keep, scan }, button) => {
    if (scan !== undefined) return scanHand();
    if (card) chosen = chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card];
    if (keep === undefined) return drawDialog();
    button.disabled = true;
    const refusal = await storeHand(chosen);
    return refusal === null || drawDialog(refusal);
  });

  /** @param {string[]} cards */
  async function storeHand(cards) {
    const refusal = await actions.storeForPhone("/api/hand", { cards });
    if (refusal === null) await reload(), close();
    return refusal;
  }

  const scanCrib = async () => (await loadScan(actions))?.scanForTable(actions, () => newest);
  const scanHand = async () => (await loadScan(actions))?.openScan({ countDue: () => countDealt(newest?.game.key ?? "") || MAX_CARDS, isWhole: () => true, submit: storeHand });

  /** Take a seat, or leave it with null. @param {number | null} seat */
  async function takeSeat(seat) {
    if ((await actions.storeForPhone("/api/seat", { seat })) !== null) return;
    saveSetting(SEATED_SETTING, seat === null ? "" : "on");
    await reload();
  }

  /** Load the seat and the cards again. The answers of an earlier load that come later are ignored. */
  async function reload() {
    const load = ++newestLoad;
    const seat = loadSetting(SEATED_SETTING) ? (await fetchApiOrNull("/api/seat"))?.seat ?? null : null;
    const cards = seat === null ? [] : sortCards((await fetchApiOrNull("/api/hand"))?.cards ?? []);
    if (load !== newestLoad) return;
    if (cards.some((card) => !places.includes(card)) || (!cards.length && newest?.phase === "cut" && !newest.scores.some(Boolean))) places = cards;
    Object.assign(myHand, { seat, cards, isLoading: false });
    redraw(); // the sentence of the turn and the button for go depend on the hand
  }

  function drawDialog(refused = "") {
    morphHtml(body, `<p>${formatMessage("Tap the cards you were dealt. Only this phone shows them.")}</p><p class="sheet-error" role="alert">${escapeHtml(refused)}</p>
      <div class="pad">${cardsToChoose(chosen)}${scanButton()}</div>
      <div class="sheet-end"><button type="button" class="button" data-keep>${formatMessage("Save my hand")}</button></div>`);
  }

  /** @param {Api.Snapshot} snapshot */
  function draw(snapshot) {
    const { seat } = myHand;
    morphHtml(seatPart, seatChoice(snapshot, seat));
    const isDealt = isDealtByCompanion(snapshot);
    const held = places.length ? places : Array(countDealt(snapshot.game.key) || 0).fill("");
    const left = cardsLeft(snapshot); // a card that was just played is known there before the hand is loaded again
    const isTurn = snapshot.phase === "play" && snapshot.turn === seat;
    const toPlay = (/** @type {string} */ card) => cardToPlay(card, isTurn, isPlayable(snapshot, card, constants.count.most), isDealt);
    const isHeld = seat !== null && snapshot.phase !== "over" && findGame(snapshot).seenCards(snapshot) !== null;
    morphHtml(el, !isHeld ? "" : `<h2 tabindex="-1" class="unseen">${formatMessage("Your cards")}</h2>${hint.render(snapshot, myHand.cards)}
      ${discard.render(snapshot, myHand.cards, seat) || cardFan(held.map((card) => (left.includes(card) ? toPlay(card) : "")))}
      ${isDealt ? "" : `<div class="choices"><button type="button" class="button" data-open="hand">${myHand.cards.length ? formatMessage("Change my cards") : formatMessage("Enter my cards")}</button>
        ${constants.reads_photos && !myHand.cards.length ? `<button type="button" class="button" data-photograph>${snapshot.phase === "crib" ? formatMessage("Photograph the crib") : formatMessage("Photograph my hand")}</button>` : ""}</div>`}`);
  }

  return (snapshot) => {
    newest = snapshot;
    // After a new deal the remark of the companion changes; cards may also arrive from a remote table.
    const now = [momentKey(snapshot), snapshot.remark, isPlayer(), snapshot.devices.remote?.say].join(" ");
    const isNew = now !== drawnMoment;
    drawnMoment = now;
    myHand.isLoading ||= isNew && isPlayer();
    draw(snapshot);
    if (isNew && isPlayer()) reload();
  };
}

/**
 * Return a card of my hand as a button, dimmed if it does not fit the count. Where the companion deals there is no pad of all cards:
 * then the button stands for it.
 * @param {string} card
 * @param {boolean} isTurn
 * @param {boolean} fits
 * @param {boolean} isOnly
 */
const cardToPlay = (card, isTurn, fits, isOnly) => `<button type="button" class="card-button ${isTurn && !fits ? "unfit" : ""}" data-own="${card}" ${isOnly ? `data-card="${card}"` : ""} aria-label="${formatMessage("Play the {card}", { card: cardName(card) })}"
  ${isTurn && fits ? "" : "disabled"}>${unlabelledCardFace(card)}</button>`;

/**
 * Return the seats to take, or the button that leaves the own one.
 * @param {Api.Snapshot} snapshot
 * @param {number | null} seat
 */
const seatChoice = (snapshot, seat) => `<details><summary>${formatMessage("My seat and cards")}</summary>
  ${seat === null ? `<p class="hint">${formatMessage("Take a seat to keep your hand on this phone. Nobody else sees it.")}</p>
  <div class="choices">${snapshot.players.map(({ seat: each, name }) => `<button type="button" class="button" data-sit="${each}">${escapeHtml(name)}</button>`).join("")}</div>`
    : `<p>${escapeHtml(formatMessage("This phone is in {name}'s seat.", { name: seatName(snapshot, seat) }))}</p>
  <div class="choices"><button type="button" class="button" data-sit="">${formatMessage("Leave this seat")}</button></div>`}</details>`;
